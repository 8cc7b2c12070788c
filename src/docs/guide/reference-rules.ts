import { BUILT_IN_FACTS } from '../../core/rules/built-in-facts'
import { MAX_BYTES, MAX_DEPTH, MAX_ITEMS, MAX_NODES, MAX_STEPS } from '../../core/rules/faults'
import { OPERATOR_FACTS, type OperatorFacts, type OperatorGroup } from '../../core/rules/operators'
import { MAX_PATTERN } from '../../core/rules/pattern/pattern'
import { codeSpan, type Page } from './page'
import { entry, marked, named, table } from './reference-html'

/** The language of rules: every operator and every built-in name, with an example each. */
export function rulesPage(): Page {
  return {
    slug: 'reference/rules',
    title: 'Rules',
    summary: 'Every operator of rules, every <code>svc.</code> name, and how values compare.',
    html: [DOCUMENT, ...SECTIONS.map(sectionHtml), NAMES, COMPARING].join('\n'),
    headings: [
      { level: 2, id: 'document', text: 'A document' },
      ...SECTIONS.flatMap(({ group, title }) => [
        { level: 2 as const, id: group.toLowerCase(), text: title },
        ...OPERATOR_FACTS.filter((facts) => facts.group === group).map(({ name }) => entry(name)),
      ]),
      { level: 2, id: 'names', text: 'Built-in names' },
      ...BUILT_IN_FACTS.map(({ name }) => entry(name)),
      { level: 2, id: 'comparing', text: 'How values compare' },
    ],
  }
}

interface Section {
  group: OperatorGroup
  title: string
  about: string
}

const SECTIONS: readonly Section[] = [
  { group: 'EQUALITY', title: 'Equality', about: 'A value alone is short for `$eq`.' },
  {
    group: 'ORDER',
    title: 'Order',
    about:
      'By size where both sides are numbers, otherwise by the characters of the texts. Versions and times have operators of their own.',
  },
  { group: 'PRESENCE', title: 'Presence', about: '`null` as a value also asks whether the attribute is missing.' },
  {
    group: 'LISTS',
    title: 'Lists',
    about: 'A list is a text that is a JSON array, such as `svc.access`. A value that is no list does not hold.',
  },
  {
    group: 'VERSIONS',
    title: 'Versions',
    about:
      'Semantic versions: a pre-release comes before its release, `2.9` before `2.10`, a leading `v` and what follows `+` do not count, missing parts are 0, and four parts are read too. Write them in quotes. For a value that is no version, only `$vne` holds.',
  },
  {
    group: 'DATES',
    title: 'Dates and times',
    about:
      'A time has any zone; without one it is UTC, and a date alone is its midnight. `{"$ago": "P3D"}` and `{"$ahead": "PT1H"}` move with the clock: durations of whole weeks, days, hours and minutes. A stream reports no change because time passes; the next request gives the new answer.',
  },
  {
    group: 'TEXT',
    title: 'Parts of texts',
    about: `Of a list, each item is tried. A regular expression is found anywhere in the text, unless it begins with \`^\` and ends with \`$\`. It has at most ${MAX_PATTERN} characters, the syntax of RE2, and neither looks around nor refers back to a group, so that no text makes it slow. In a text of more than 500 characters, which only the value of a flag can have, a pattern that fits at very many places at once is given up, and is not found.`,
  },
  {
    group: 'GROUPS',
    title: 'Lists of ids',
    about:
      'An audience can have a list of at most 100,000 ids: labels, device keys or values of any attribute. `PUT …/audiences/{id}/members` replaces it, with one id a line. svc keeps only keyed hashes of them. Rules in the console and in files name the audience.',
  },
]

const shown = (text: string): string => codeSpan(Bun.escapeHTML(text))

const JOINS: readonly (readonly [name: string, about: string, example: unknown])[] = [
  ['$and', 'All of the rules hold.', { $and: [{ country: 'TR' }, { plan: 'gold' }] }],
  [
    '$or',
    'At least one of the rules holds. An empty list holds for nobody.',
    { $or: [{ country: 'TR' }, { country: 'DE' }] },
  ],
  ['$nor', 'None of the rules holds.', { $nor: [{ country: 'TR' }, { plan: 'gold' }] }],
  [
    '$not',
    'The rule, or the condition of an attribute, does not hold.',
    { plan: { $not: { $in: ['gold', 'silver'] } } },
  ],
]

const DOCUMENT = `<h2 id="document"><a href="#document">A document</a></h2>
<p>${marked('Rules are an object: each member is an attribute and what it has to be, and all members must hold. An empty object holds for everybody. `{"country": "TR", "age": {"$gte": 18}}` holds where `country` is `TR` and `age` is 18 or more. A key with a dot is one name and no path.')}</p>
${table(
  ['Operator', 'It holds when', 'Example'],
  JOINS.map(([name, about, example]) => [named(name), marked(about), shown(JSON.stringify(example))]),
)}<p>A document has at most ${MAX_DEPTH} levels, ${MAX_NODES} parts, ${MAX_ITEMS} items in a list and ${MAX_BYTES / 1024} KiB. Its regular expressions have at most ${MAX_STEPS} steps together: one for each character, and a repetition such as <code>{100}</code> counts as often as it repeats.</p>`

const sectionHtml = ({ group, title, about }: Section): string =>
  `<h2 id="${group.toLowerCase()}"><a href="#${group.toLowerCase()}">${title}</a></h2>
<p>${marked(about)}</p>
${table(
  ['Operator', 'It holds when the value', 'Example', 'Holds for'],
  OPERATOR_FACTS.filter((facts) => facts.group === group).map(operatorRow),
)}`

const operatorRow = ({ name, about, example: [condition, value] }: OperatorFacts): string[] => [
  named(name),
  marked(`${about}.`),
  shown(JSON.stringify({ attribute: condition })),
  shown(value),
]

const NAMES = `<h2 id="names"><a href="#names">Built-in names</a></h2>
<p>${marked('svc computes these. They win over attributes of the same name. `svc.flag.KEY` is the value of another flag in the environment of the call (for placements and offerings: PROD), as text; a flag that is off or missing is a missing attribute. Flags depend on each other over at most 3 levels and never in a circle. The address of a caller is not available to rules.')}</p>
${table(
  ['Name', 'What it is', 'Example'],
  BUILT_IN_FACTS.map(({ name, about, example }) => [named(name), marked(about), shown(example)]),
)}`

const COMPARING = `<h2 id="comparing"><a href="#comparing">How values compare</a></h2>
<ul>
<li>${marked('Every value is a text. Where both sides are decimal numbers they compare as numbers: `5` equals `5.0`, and `10` is more than `9`. All digits count.')}</li>
<li>${marked('`true` and `false` compare with the texts `true` and `false`.')}</li>
<li>${marked('A missing attribute equals only `null`. For it `$ne`, `$nin`, `$nini`, `$vne`, `$notInGroup` and `$not` hold, and every other comparison does not.')}</li>
<li>${marked('A list equals each of its items. A list with objects or lists in it is compared as a text.')}</li>
<li>${marked('`svc.firstSeenAt`, `svc.lastSeenAt` and `svc.now` compare by instant also with `$gt` and the like.')}</li>
<li>${marked('Operators that end with `i` use the simple case folding of Unicode: `ß` equals `ẞ` and not `ss`.')}</li>
</ul>`
