import type { CommandHelp } from '../../base/command-help'
import { VARIABLES, type Variable } from '../../base/config-variables'
import { ERRORS } from '../../base/error-codes'
import type { Schema } from '../../projects/project-file/reader'
import { AREAS, type Area } from './areas'
import { eventPage } from './event-page'
import { idPage } from './id-page'
import { codeSpan, type Group, type Page } from './page'
import { projectFilePage } from './project-file-page'
import { code, entry, marked, NONE, named, table } from './reference-html'
import { rulesPage } from './reference-rules'

/** The reference pages. They are made from the code, so that they cannot differ from it. */
export const makeReference = (commands: readonly CommandHelp[], fileSchema: Schema): Group => ({
  title: 'Reference',
  pages: [
    ...[idPage(), eventPage(), projectFilePage(fileSchema), rulesPage()],
    ...[errorPage(), commandPage(commands), configurationPage(), sourcePage()],
  ],
})

interface ErrorRow {
  status: readonly number[]
  message: string
  details?: readonly string[]
  retryAfter?: number
}

function errorPage(): Page {
  const rows = Object.entries<ErrorRow>(ERRORS).map(([code, row]) => [
    named(code),
    row.status.join(', '),
    Bun.escapeHTML(row.message),
    (row.details ?? []).map(codeSpan).join(' ') || NONE,
    row.retryAfter === undefined ? NONE : `${row.retryAfter} s`,
  ])
  return {
    slug: 'reference/errors',
    title: 'Error codes',
    summary: 'Every code that an answer can have in <code>error.code</code>.',
    html:
      '<p>A refusal is <code>{"error": {"code", "message", "details"?}}</code>. Decide by <code>code</code>: it ' +
      'stays the same, while the wording of a message may change. Where a row has several statuses, the first one is the usual one.</p>\n' +
      table(['Code', 'Status', 'Message', 'Keys of <code>details</code>', '<code>Retry-After</code>'], rows),
    headings: Object.keys(ERRORS).map((code) => entry(code)),
  }
}

function commandPage(commands: readonly CommandHelp[]): Page {
  return {
    slug: 'reference/cli',
    title: 'Command line',
    summary: `The ${commands.length} commands of the executable, as <code>svc COMMAND --help</code> prints them.`,
    html: EXIT_CODES + commands.map(commandHtml).join(''),
    headings: commands.map(({ name }) => ({ level: 2, id: name, text: `svc ${name}` })),
  }
}

const EXIT_CODES =
  '<p>Exit codes: 0 done, 1 failed (one sentence on stderr), 2 wrong usage or configuration, 3 differences found. ' +
  'Every command has <code>--help</code>, and <code>--json</code> for scripts: then stdout is one JSON document, and after a ' +
  'failure that is the failure envelope <code>{"error":{"code","message","details"?}}</code>.</p>\n'

function commandHtml({ name, summary, help }: CommandHelp): string {
  const [usage = '', example] = help.trim().split(/\n+Example: /)
  return [
    `<h2 id="${name}"><a href="#${name}">svc ${name}</a></h2>`,
    `<p>${Bun.escapeHTML(capitalised(summary))}.</p>`,
    code(usage),
    example === undefined ? '' : `<p>Example:</p>\n${code(example)}`,
    '',
  ].join('\n')
}

function configurationPage(): Page {
  const rows = Object.entries<Variable>(VARIABLES).map(([name, variable]) => [
    named(name),
    shownDefault(variable),
    `${marked(variable.meaning)}.${takes(variable)}`,
  ])
  return {
    slug: 'reference/configuration',
    title: 'Configuration',
    summary: 'The variables of the environment that svc reads.',
    html:
      '<p>Options of the command line win over the environment, and the environment over the defaults. All faults are ' +
      'listed at once, with exit code 2.</p>\n' +
      table(['Variable', 'Default', 'Meaning'], rows),
    headings: Object.keys(VARIABLES).map((name) => entry(name)),
  }
}

const shownDefault = ({ default: value, shownDefault: words }: Variable): string =>
  words === undefined ? (value === undefined ? 'none' : codeSpan(String(value))) : marked(words)

function takes({ range, values }: Variable): string {
  if (range) return ` From ${range[0]} to ${range[1]}.`
  return values && values.length > 1 ? ` One of ${values.map(codeSpan).join(', ')}.` : ''
}

/** The areas of `src` and their folders, for people who work on svc. */
function sourcePage(): Page {
  return {
    slug: 'reference/source',
    title: 'Folders of the source',
    summary: `The ${AREAS.length} areas of <code>src</code> and the folders inside each.`,
    html:
      '<p>A file imports only from its own area and from the areas above it in this table. The files directly in ' +
      '<code>src</code> put the parts together.</p>\n' +
      table(
        ['Area', 'What it is for'],
        AREAS.map(({ name, purpose }) => [`<a href="#${name}"><code>${name}</code></a>`, marked(purpose)]),
      ) +
      AREAS.map(folderTable).join(''),
    headings: AREAS.map(({ name }) => ({ level: 2, id: name, text: name })),
  }
}

const folderTable = ({ name, folders }: Area): string =>
  `<h2 id="${name}"><a href="#${name}">${name}</a></h2>\n${table(
    ['Folder', 'What it is about'],
    Object.entries(folders).map(([folder, about]) => [named(`${name}/${folder}`), marked(about)]),
  )}`

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
