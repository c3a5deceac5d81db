import ts from 'typescript';

/** A small fault: `was`, at `from` in the text of a file, becomes `becomes`. */
export type Mutation = { file: string; from: number; was: string; becomes: string };

/** A pattern of SQL, and what its whole match becomes. */
const inSql: [pattern: RegExp, becomes: (match: RegExpExecArray) => string][] = [
  [/ (<|<=|>|>=) (?=\S)/g, ([, sign = '']) => ` ${strictnessOf[sign]} `],
  [/\bAND NOT\b/g, () => 'AND'],
  // The AND of a BETWEEN joins nothing.
  [/(?<!\bBETWEEN [^\n]*)\bAND (?!NOT\b)(?=[\w($:])/g, () => 'OR '],
  [/\bNOT EXISTS\b/g, () => 'EXISTS'],
  [/\bIS (NOT )?NULL\b/g, ([, not]) => (not ? 'IS NULL' : 'IS NOT NULL')],
  [/\b(min|max)\((?=[^()]*,)/g, ([, name]) => (name === 'min' ? 'max(' : 'min(')],
  [/ (\+|-) (?=[\w($])/g, ([, sign]) => (sign === '+' ? ' - ' : ' + ')],
  [/ = ([0-9]+)\b/g, ([, constant]) => ` = ${Number(constant) + 1}`],
  [/\bDESC\b/g, () => 'ASC'],
];

const strictnessOf: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const operatorOf: Record<string, string> = {
  ...strictnessOf,
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
};

const mutationsOfSql = (file: string, sql: string, at = 0): Mutation[] =>
  inSql.flatMap(([pattern, becomes]) =>
    [...sql.matchAll(pattern)].map((match) => ({
      file,
      from: at + match.index,
      was: match[0],
      becomes: becomes(match as RegExpExecArray),
    })),
  );

/** The same text with each comment of SQL as blanks, so that places stay. */
const withoutComments = (sql: string) => sql.replace(/--.*/g, (comment) => ' '.repeat(comment.length));

/** All small faults that can be made in a file of TypeScript or SQL, one at a time. */
export function mutationsOf(file: string, text: string): Mutation[] {
  if (file.endsWith('.sql')) return mutationsOfSql(file, withoutComments(text));
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const replace = (node: ts.Node, becomes: string) =>
    found.push({ file, from: node.getStart(source), was: node.getText(source), becomes });
  const visit = (node: ts.Node): void => {
    // What has no effect at run time has no rule.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const becomes = operatorOf[node.operatorToken.getText(source)];
      if (becomes) replace(node.operatorToken, becomes);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      replace(node, node.operand.getText(source));
    } else if (ts.isIfStatement(node)) {
      replace(node.expression, 'false');
    } else if (ts.isConditionalExpression(node)) {
      replace(node.condition, `!(${node.condition.getText(source)})`);
    } else if (ts.isNumericLiteral(node)) {
      replace(node, String(Number(node.text) + 1));
    } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      replace(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true');
    } else if (ts.isTaggedTemplateExpression(node) && /^sql\b/.test(node.tag.getText(source))) {
      for (const piece of piecesOf(node.template))
        found.push(...mutationsOfSql(file, piece.getText(source), piece.getStart(source)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const piecesOf = (template: ts.TemplateLiteral): ts.Node[] =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template]
    : [template.head, ...template.templateSpans.map(({ literal }) => literal)];

/** @throws if the text is not the one that the fault was found in */
export function withMutation(text: string, { from, was, becomes }: Mutation): string {
  if (text.slice(from, from + was.length) !== was) throw new Error(`The text has no "${was}" at ${from}.`);
  return text.slice(0, from) + becomes + text.slice(from + was.length);
}

const shortened = (text: string) => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 70 ? `${line.slice(0, 67)}…` : line;
};

/** A fault in one line, as a person looks for it. */
export const lineOf = ({ file, from, was, becomes }: Mutation, text: string): string =>
  `${file}:${text.slice(0, from).split('\n').length} ${shortened(was)} → ${shortened(becomes)}`;
