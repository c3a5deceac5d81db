import { describe, expect, test } from 'vitest';
import { rowsOfCsv } from '../../../app/domain/people/csv';
import { columnsOf, headPlaceOf, isInHours } from '../../../app/domain/people/heads';
import { readRows, readTable } from '../../../app/domain/people/import';

const now = Date.parse('2026-11-26T12:00:00Z');

/** Reads a table as the import does, for a provider in Lisbon. */
function read(text: string) {
  const table = readTable(text);
  const part = { from: 0, to: table.rows.length };
  return readRows(table, { zone: 'Europe/Lisbon', order: 'dmy', now, part });
}
const namesIn = (text: string) => read(text).readable.map(({ name }) => name);

/** The heads of a table by the columns that they are taken for. */
function takenFor(head: string, ...lines: string[]) {
  const [titles = [], ...rows] = rowsOfCsv([head, ...lines].join('\n'));
  const found = Object.entries(columnsOf(titles, rows));
  return Object.fromEntries(
    found.map(([column, places]) => [column, places.map((place) => titles[place]).join(' | ')]),
  );
}

describe('the heads', () => {
  test.each<[program: string, head: string, columns: Record<string, string>]>([
    [
      'an old address book of Google',
      'Name,Given Name,Additional Name,Family Name,Yomi Name,E-mail 1 - Type,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Type,Phone 1 - Value',
      {
        name: 'Name',
        firstName: 'Given Name',
        middleName: 'Additional Name',
        lastName: 'Family Name',
        email: 'E-mail 1 - Value | E-mail 2 - Value',
        phone: 'Phone 1 - Value',
      },
    ],
    [
      'an address book of Outlook',
      'First Name,Last Name,Company,Assistant’s Phone,Business Fax,Business Phone,Company Main Phone,Home Phone,Mobile Phone,Primary Phone,E-mail Address,E-mail Display Name,E-mail 2 Address,Notes',
      {
        firstName: 'First Name',
        lastName: 'Last Name',
        email: 'E-mail Address | E-mail 2 Address',
        phone: 'Mobile Phone | Primary Phone | Home Phone | Business Phone | Company Main Phone',
        note: 'Notes',
      },
    ],
    [
      'an address book of Apple',
      'First name,Last name,Nickname,Phone (mobile),Phone (work),E-mail (home)',
      {
        firstName: 'First name',
        lastName: 'Last name',
        phone: 'Phone (mobile) | Phone (work)',
        email: 'E-mail (home)',
      },
    ],
    [
      'customers of a shop',
      'Reference ID,First Name,Last Name,Email Address,Phone Number,Company Name,Birthday,Memo',
      {
        firstName: 'First Name',
        lastName: 'Last Name',
        email: 'Email Address',
        phone: 'Phone Number',
        note: 'Memo',
      },
    ],
    [
      'a salon’s appointments',
      'Ref #,Client,Client phone,Client email,Service,Created date,Scheduled date,Time,Duration (min),Team member,Status',
      {
        name: 'Client',
        phone: 'Client phone',
        email: 'Client email',
        date: 'Scheduled date',
        start: 'Time',
        minutes: 'Duration (min)',
        status: 'Status',
      },
    ],
    [
      'a scheduler of meetings',
      'Host Name,Host Email,Invitee Name,Invitee Email,Invitee Time Zone,Start Date & Time,End Date & Time,Event Created Date & Time,Cancelled,Cancellation reason',
      {
        name: 'Invitee Name',
        email: 'Invitee Email',
        date: 'Start Date & Time',
        end: 'End Date & Time',
        status: 'Cancelled',
      },
    ],
    [
      'a program that writes names as code does',
      'firstName,last_name,emailAddress,phoneNumber,startTime,endTime',
      {
        firstName: 'firstName',
        lastName: 'last_name',
        email: 'emailAddress',
        phone: 'phoneNumber',
        start: 'startTime',
        end: 'endTime',
      },
    ],
    [
      'German',
      'Vorname;Nachname;E-Mail-Adresse;Telefon (mobil);Telefon geschäftlich;Bemerkungen;Datum;Beginn;Ende;Dauer (Min.);Storniert',
      {
        firstName: 'Vorname',
        lastName: 'Nachname',
        email: 'E-Mail-Adresse',
        phone: 'Telefon (mobil) | Telefon geschäftlich',
        note: 'Bemerkungen',
        date: 'Datum',
        start: 'Beginn',
        end: 'Ende',
        minutes: 'Dauer (Min.)',
        status: 'Storniert',
      },
    ],
    [
      'French',
      'Prénom;Nom de famille;Adresse électronique;N° de téléphone;Remarques;Date du rendez-vous;Heure de début;Heure de fin;Durée;Statut',
      {
        firstName: 'Prénom',
        lastName: 'Nom de famille',
        email: 'Adresse électronique',
        phone: 'N° de téléphone',
        note: 'Remarques',
        date: 'Date du rendez-vous',
        start: 'Heure de début',
        end: 'Heure de fin',
        minutes: 'Durée',
        status: 'Statut',
      },
    ],
    [
      'Portuguese',
      'Nome completo;Correio eletrónico;Telemóvel;Observações;Data da marcação;Hora de início;Hora de fim;Duração (minutos);Situação',
      {
        name: 'Nome completo',
        email: 'Correio eletrónico',
        phone: 'Telemóvel',
        note: 'Observações',
        date: 'Data da marcação',
        start: 'Hora de início',
        end: 'Hora de fim',
        minutes: 'Duração (minutos)',
        status: 'Situação',
      },
    ],
    [
      'Spanish',
      'Nombre;Apellidos;Correo electrónico;Teléfono móvil;Comentarios;Fecha de la cita;Hora;Duración;Estado',
      {
        name: 'Nombre',
        lastName: 'Apellidos',
        email: 'Correo electrónico',
        phone: 'Teléfono móvil',
        note: 'Comentarios',
        date: 'Fecha de la cita',
        start: 'Hora',
        minutes: 'Duración',
        status: 'Estado',
      },
    ],
  ])('of %s are known', (_, head, columns) => {
    expect(takenFor(head)).toEqual(columns);
  });

  test.each([
    'Client ID,Phone Type,Phone Extension,Fax',
    'User Name,Staff E-mail,Event Type Name,Company Name',
    'Birthday,Date Scheduled,Date of birth,Time zone',
  ])('%s are none of ours', (head) => {
    expect(takenFor(head)).toEqual({});
  });

  test('say that lengths are hours', () => {
    expect(['Duration (hours)', 'Dauer in Std.', 'Duration'].map(isInHours)).toEqual([true, true, false]);
  });
});

describe('where no head says it, the cells', () => {
  test('with an @ are addresses', () => {
    expect(takenFor('Name,Reach', 'Ana,ana@mail.test', 'Bo,', 'Cy,cy@mail.test')).toEqual({
      name: 'Name',
      email: 'Reach',
    });
  });

  test('in groups of digits are phone numbers', () => {
    expect(takenFor('Name,Reach', 'Ana,+351 900 000 111', 'Bo,0151 000 222')).toEqual({ name: 'Name', phone: 'Reach' });
  });

  test.each(['1000234', '2027-03-04', '04.03.2027', '12.50'])('such as %s are no phone numbers', (cell) => {
    expect(takenFor('Name,Number of it', `Ana,${cell}`)).toEqual({ name: 'Name' });
  });

  test('of a colleague are left alone', () => {
    expect(takenFor('Name,Staff member', 'Ana,boss@mail.test')).toEqual({ name: 'Name' });
  });
});

test('an empty column does not win over a filled one', () => {
  expect(takenFor('Name,Notes,Comments', 'Ana,,tea')).toMatchObject({ note: 'Comments' });
});

test('of several numbers the first that is filled counts in each row', () => {
  const { readable } = read('Name,Home Phone,Mobile Phone\nAna,111 222,\nBo,111 333,999 444');

  expect(readable.map(({ phone }) => phone)).toEqual(['111 222', '999 444']);
});

describe('a name', () => {
  test.each([
    ['is joined of its parts', 'First Name,Middle Name,Last Name\nIda,M,Kohl', 'Ida M Kohl'],
    ['is joined where the family name is called Name', 'Name;Vorname\nKohl;Ida', 'Ida Kohl'],
    ['is joined of a name and family names', 'Nombre;Apellidos\nIda;Kohl Ruiz', 'Ida Kohl Ruiz'],
    ['stands for itself beside its parts', 'Name,Given Name,Family Name\nDr Ida Kohl,Ida,Kohl', 'Dr Ida Kohl'],
    ['stands for itself beside a family name in it', 'Client,Last Name\nIda Kohl,Kohl', 'Ida Kohl'],
    ['is turned where its head says so', '"Name (Last, First)"\n"Kohl, Ida"', 'Ida Kohl'],
    ['without a comma is not turned', '"Last Name, First Name"\nKohl', 'Kohl'],
  ])('%s', (_, text, name) => {
    expect(namesIn(text)).toEqual([name]);
  });

  test('is turned where most are written so', () => {
    expect(namesIn('Client\n"Kohl, Ida"\n"Lund, Jo"\nCher')).toEqual(['Ida Kohl', 'Jo Lund', 'Cher']);
  });

  test('stands as it is where most are not', () => {
    expect(namesIn('Client\n"Kohl, Ida"\nJo Lund')).toEqual(['Kohl, Ida', 'Jo Lund']);
  });

  test('of a company is not turned', () => {
    expect(namesIn('Client\n"Acme, Inc."\n"Ida, GmbH"')).toEqual(['Acme, Inc.', 'Ida, GmbH']);
  });

  test('in a file of our own stands as it is', () => {
    expect(namesIn('Name,E-mail,Phone,Note,Came,Excused,Missed\n"Kohl, Ida",,,,0,0,0')).toEqual(['Kohl, Ida']);
  });
});

describe('the row of the heads', () => {
  test.each([
    ['is the first', ['Name,Email', 'Ana,ana@mail.test'], 0],
    ['comes after the title of a report', ['Our clients', 'On 26 Nov 2026', 'Name,Email', 'Ana,ana@mail.test'], 2],
    ['comes after a title with known words', ['Name,,', 'Client,Phone,Email', 'Ana,555 100,ana@mail.test'], 1],
    ['is the first where no row below has more cells', ['Name,,2026', 'Phone,Email,'], 0],
    ['is the first where no row has known heads', ['Who,What', 'Ana,tea'], 0],
    ['is the first, whatever is in a note', ['Name,Note,Where', 'Date,Phone,Email'], 0],
  ])('%s', (_, lines, place) => {
    expect(headPlaceOf(rowsOfCsv(lines.join('\n')))).toBe(place);
  });

  test('counts in the numbers of the rows', () => {
    expect(read('Our clients,\nName,Email\nAna,ana@mail.test').readable).toMatchObject([{ row: 3, name: 'Ana' }]);
  });
});
