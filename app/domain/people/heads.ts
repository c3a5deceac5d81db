import { sortKey } from '../input/fold';

// Recognizes the columns of another program's table by their heads, and by their cells where no head says it.

const all = (words: string) => words.split(/\s+/);
const set = (words: string) => new Set(all(words));

const stopWords = set('of the in de du da do des der die das la le les el l d y et and und e');

/** The words of a head or a cell: folded, without accents, punctuation and small words. "startDate" is two. */
export function plainWords(text: string): string[] {
  const [plain = ''] = sortKey(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).split('\u0001', 1);
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return (
    words
      .join(' ')
      .replaceAll(/\be mail/g, 'email')
      .match(/\S+/g) ?? []
  ).filter((word) => !stopWords.has(word));
}

const whose = set(
  'client clients customer invitee guest patient attendee contact kunde kunden kundin gast klient cliente utente paciente',
);
const occasion = set(
  'appointment appt booking reservation event session visit service termin buchung rendez vous rdv reserva cita marcacao agendamento consulta',
);

// The heads of each column without their small words and blanks, the likeliest first.
const heads = {
  name: all(`name fullname displayname nome nom nombre nomecompleto nomcomplet nombrecompleto vollername vollstandigername
    vornamename vornamenachname prenomnom nombreapellidos nombreapellido nomesobrenome nomeapelido firstlast
    client customer kunde kundin kundenname gast patient cliente utente paciente invitee guest attendee`),
  lastFirst: all(`namelastfirst lastfirst lastnamefirstname lastnamefirst namevorname nachnamevorname nomprenom
    apellidosnombre apellidonombre sobrenomenome apelidonome fileas`),
  firstName: all(`firstname givenname forename first vorname rufname prenom primeironome nomeproprio nombrepila
    primernombre nombres`),
  middleName: all('middlename middle middleinitial additionalname zweitername segundonombre nomemeio'),
  lastName: all(`lastname surname familyname last nachname familienname zuname nomfamille sobrenome apelido apelidos
    ultimonome apellido apellidos`),
  note: all(`note notes yournote comment comments remark remarks memo internalnotes notiz notizen bemerkung bemerkungen
    anmerkung anmerkungen kommentar remarque remarques commentaire commentaires nota notas observacao observacoes
    observacion observaciones comentario comentarios`),
  date: all(`date startdate day datum data fecha dia tag jour startdatetime datetime startdatum datedebut datainicio
    fechainicio scheduleddate dateheure datahora fechahora datumuhrzeit datumzeit`),
  start:
    all(`start starttime startsat startat scheduledtime bookedfrom time from begin begins beginn beginnt startzeit uhrzeit von zeit anfang
    hora horainicio horacomienzo inicio comienzo heure heuredebut debut`),
  end: all(`end endtime endsat endat to till until bookedtill enddatetime finish ende endet endzeit endezeit bis fim horafim termino
    horatermino fin heurefin horafin ate hasta`),
  place: all(`location place venue where ort treffpunkt standort lieu endroit lugar ubicacion local localizacao`),
  status: all(`status statut etat estado situacao terminstatus buchungsstatus canceled cancelled iscanceled iscancelled
    canceledat cancelledat canceledon cancelledon canceleddate cancelleddate datecanceled datecancelled cancellationdate
    storniert abgesagt annule annulee anulado anulada cancelado cancelada`),
} satisfies Record<string, string[]>;

const lengths = set('duration length dauer duree duracao duracion');
const inMinutes = set('minutes minute mins min minuten minutos');
const inHours = set('hours hour hrs hr h std stunden stunde heures heure horas hora');

const mails = set('email emails mail emailadresse emailaddress mailadresse courriel mel correo correio electronique');
const mailWords = set('address adresse endereco direccion electronico eletronico value');
const mobiles = set(`mobile mobil mobilnummer mobiltelefon mobilephone cell cellphone cellular celular movil handy
  handynummer portable gsm natel telemovel whatsapp iphone sms`);
const phones = set(`phone phones telephone tel telefon telefonnummer telefono telefone rufnummer festnetz landline`);
const phoneWords = set('number no n nº nr num numero nummer value fixe fijo fixo');
const atHome = set('home private personal privat domicile personnel casa particular pessoal residencial');
const atWork = set(`work business office company geschaftlich geschaft dienstlich arbeit firma beruflich travail bureau
  professionnel trabajo trabalho comercial`);
const anywhere = set('main primary preferred best default principal haupt other day daytime evening 1 2 3 4 5');

export type Column = keyof typeof heads | 'email' | 'phone' | 'minutes';
/** The places of each column. Where there are several, the first cell that is filled counts. */
export type Columns = Partial<Record<Column, number[]>>;

/** Of these a person may have several columns. */
export const severalColumns = new Set<Column>(['email', 'phone', 'status']);

const isOf = (words: string[], ...sets: Set<string>[]) =>
  words.every((word) => sets.some((known) => known.has(word))) && words.length > 0;

/** How well a head names a mail address or a phone number: 0 is best, undefined is not at all. */
function reachRank(words: string[], nouns: Set<string>[], fillers: Set<string>): number | undefined {
  const place = nouns.findIndex((known) => words.some((word) => known.has(word)));
  if (place < 0 || !isOf(words, ...nouns, fillers, whose, atHome, atWork, anywhere)) return undefined;
  if (words.some((word) => atWork.has(word))) return 4;
  if (words.includes('other')) return 5;
  return place === 0 ? 0 : words.some((word) => atHome.has(word)) ? 3 : 2;
}

function rankOf(column: Column, words: string[]): number | undefined {
  if (column === 'email') return reachRank(words, [mails], mailWords);
  if (column === 'phone') {
    if (words.join('') === 'textremindernumber') return 0;
    return reachRank(words, [mobiles, phones], phoneWords);
  }
  if (column === 'minutes') {
    const bare = words.filter((word) => !occasion.has(word));
    if (isOf(bare, inMinutes)) return 0;
    return bare.some((word) => lengths.has(word)) && isOf(bare, lengths, inMinutes, inHours) ? 1 : undefined;
  }
  const list: string[] = heads[column];
  const prefixes = column === 'note' ? [whose, occasion] : /name|lastFirst/i.test(column) ? [whose] : [occasion];
  const bare = words.filter((word) => !prefixes.some((known) => known.has(word)));
  const ranks = [words, bare].map((some) => list.indexOf(some.join(''))).filter((rank) => rank >= 0);
  return ranks.length > 0 ? Math.min(...ranks) : undefined;
}

export const columns = [...(Object.keys(heads) as Column[]), 'email', 'phone', 'minutes'] as const;

/** Whether a head says that bare numbers below it are hours. */
export const isInHours = (title: string): boolean => {
  const words = plainWords(title);
  return words.some((word) => inHours.has(word)) && !words.some((word) => inMinutes.has(word));
};

const filled = (rows: string[][], place: number) =>
  rows.map((cells) => cells[place]?.trim() ?? '').filter((cell) => cell !== '');
const most = (cells: string[], is: (cell: string) => boolean) => cells.filter(is).length * 2 > cells.length;

const isMail = (cell: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell);
// A bare number may be an id or a price, so a phone number begins with + or 0, or has groups.
const isPhone = (cell: string) =>
  /^'?(?:[+0(]|\d+[ ()/-])[\d\s()./+-]{5,}$/.test(cell) &&
  !/^'?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/.test(cell) &&
  (cell.match(/\d/g)?.length ?? 0) >= 7;

const companies = /^(?:inc|ltd|llc|gmbh|ag|kg|lda|sa|sl|sarl|co|corp|jr|sr|md|phd|ii|iii)\.?$/i;

/** "Last, First", as two names with a comma between them; null for anything else. */
function lastAndFirst(cell: string): [last: string, first: string] | null {
  const [, last, first] = /^([^,\d@]+?)\s*,\s*([^,\d@]+)$/.exec(cell.trim()) ?? [];
  return last && first && !companies.test(first) ? [last, first] : null;
}

// Tables of schedulers have the addresses of the owner or the staff too: a head with one of these words is not the client's.
const others = set('user owner staff host employee provider calendar practitioner organizer mitarbeiter created');

/** Finds the columns that we know by their heads, and addresses, numbers and reversed names by their cells. */
export function columnsOf(head: string[], rows: string[][] = []): Columns {
  const words = head.map(plainWords);
  const some = rows.slice(0, 200);
  const cells = head.map((_, place) => filled(some, place));
  const isEmpty = (place: number) => some.length > 0 && cells[place]?.length === 0;
  const found: Columns = {};
  const taken = new Set<number>();
  for (const column of columns) {
    const ranked = words
      .flatMap((of, place) => {
        const rank = taken.has(place) ? undefined : rankOf(column, of);
        return rank === undefined ? [] : [{ place, rank: rank + (isEmpty(place) ? 1000 : 0) }];
      })
      .sort((one, other) => one.rank - other.rank);
    const places = ranked.map(({ place }) => place).slice(0, severalColumns.has(column) ? undefined : 1);
    if (places.length > 0) found[column] = places;
    for (const place of places) taken.add(place);
  }
  const byCells = (column: Column, is: (cell: string) => boolean) => {
    if (found[column]?.some((place) => !isEmpty(place))) return;
    const place = words.findIndex(
      (of, at) => !taken.has(at) && !of.some((word) => others.has(word)) && most(cells[at] ?? [], is),
    );
    if (place < 0) return;
    found[column] = [place, ...(found[column] ?? [])];
    taken.add(place);
  };
  byCells('email', isMail);
  byCells('phone', isPhone);
  const [name] = found.name ?? [];
  // Our own files never have reversed names, however many commas are in them.
  const isOurs = ['Came', 'Excused', 'Missed'].every((title) => head.includes(title));
  if (name !== undefined && !isOurs && most(cells[name] ?? [], (cell) => lastAndFirst(cell) !== null)) {
    found.lastFirst = [name];
    delete found.name;
  }
  return found;
}

/** How many rows may stand above the heads. */
export const mostTitles = 20;

const knownHeads = (cells: string[]) => {
  const words = cells.map(plainWords);
  return words.filter((of) => columns.some((column) => rankOf(column, of) !== undefined)).length;
};

const widthOf = (cells: string[]) => cells.filter((cell) => cell !== '').length;

/** The place of the row with the heads: reports have lines above it. */
export function headPlaceOf(rows: string[][]): number {
  const [first = []] = rows;
  const ofFirst = knownHeads(first);
  if (ofFirst >= 2) return 0;
  const width = widthOf(first);
  const place = rows
    .slice(1, mostTitles)
    .findIndex(
      (cells) =>
        !cells.some((cell) => cell.includes('@')) &&
        (ofFirst === 0 || widthOf(cells) > width) &&
        knownHeads(cells) > Math.max(ofFirst, 1),
    );
  return place + 1;
}

/** The name in the cells of a row. A full name stands for itself; otherwise its parts are joined. */
export function joinedName(parts: Partial<Record<Column, string>>): string {
  const reversed = parts.lastFirst ?? '';
  const whole = parts.name || (lastAndFirst(reversed)?.toReversed().join(' ') ?? reversed);
  const { firstName = '', middleName = '', lastName = '' } = parts;
  const within = plainWords(whole);
  const isWithin = (part: string) => plainWords(part).every((word) => within.includes(word));
  const isWhole = firstName ? lastName !== '' || isWithin(firstName) : isWithin(lastName);
  const names =
    whole && isWhole ? [whole] : firstName ? [firstName, middleName, lastName || whole] : [whole, middleName, lastName];
  return names.filter(Boolean).join(' ');
}
