import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { remoteApi } from '../../base/cli/api'
import { type Command, CommandFailure, type Io, toLimit, UsageError } from '../../base/cli/command'
import { readRemoteAddress, remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { TEMPLATE_VIEWS } from './template-views'

const options = {
  ...projectOptions,
  limit: { type: 'string' },
  template: { type: 'string' },
  name: { type: 'string' },
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const

export const funnelCommand: Command = {
  name: 'funnel',
  summary: 'web funnels: list, begin one from a template, texts for translators',
  help: `
svc funnel list [--limit N]
svc funnel templates                      what a funnel can begin with; each has English, German, Turkish and Japanese texts
svc funnel new SLUG [--template ID] [--name NAME]
svc funnel texts export FUNNEL [--format csv|xliff] [-o FILE]   every text of the draft, in each of its languages
svc funnel texts import FUNNEL FILE [--format csv|xliff]        puts translated texts into the draft; an empty one changes nothing

FUNNEL is a slug or an id. New funnels are drafts, and imported texts are shown once the draft is published.

  --limit N      the newest N (50)
  --template ID  of svc funnel templates; without it, the funnel has no page yet
  --name NAME    shown in the console (the slug)
  --format F     csv: a column for each language, or xliff: XLIFF 1.2 (by the ending of the file, else csv)
  -o FILE        where the texts are written; without it they are printed
  --project P    slug or id; needless with one project
  --data DIR, --json
${remoteHelp(17)}

Example: svc funnel new sleep --template quiz`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length === 1 && positionals[0] === 'templates') return listTemplates(values, io)
    const work = toWork(positionals, values)
    return withProject(io, values, (project) => work(project, io))
  },
}

type Work = (project: ProjectApi, io: Io) => Promise<number>

interface Values {
  limit?: string | undefined
  template?: string | undefined
  name?: string | undefined
  format?: string | undefined
  output?: string | undefined
  json?: boolean | undefined
}

function toWork([action, what, ...more]: readonly string[], values: Values): Work {
  const [first, second, ...rest] = more
  if (action === 'list' && what === undefined) return list(values)
  if (action === 'new' && what !== undefined && more.length === 0) return create(what, values)
  if (action === 'texts' && first !== undefined && rest.length === 0) {
    if (what === 'export' && second === undefined) return exportTexts(first, values)
    if (what === 'import' && second !== undefined) return importTexts(first, second, values)
  }
  throw new UsageError('funnel takes list, templates, new SLUG, texts export FUNNEL or texts import FUNNEL FILE')
}

/** A newer server may answer more. */
const open = { additionalProperties: true } as const
const Template = Type.Object({ id: Type.String(), name: Type.String(), pages: Type.Array(Type.Unknown()) }, open)
const TemplateList = Type.Object({ items: Type.Array(Template) }, open)
const Funnel = Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String(), status: Type.String() }, open)
const Imported = Type.Object({ changed: Type.Integer(), unknown: Type.Array(Type.String()) }, open)

async function listTemplates(values: Values & Parameters<typeof readRemoteAddress>[1], io: Io): Promise<number> {
  const remote = readRemoteAddress(io, values)
  const { items } = remote
    ? await remoteApi(remote).call('GET', '/dashboard/funnel-templates', { data: TemplateList })
    : { items: TEMPLATE_VIEWS }
  const lines = items.map(({ id, name, pages }) => [id, name, String(pages.length)])
  io.out(values.json ? JSON.stringify({ items }) : table([['id', 'name', 'pages'], ...lines]))
  return 0
}

const HEAD = ['id', 'slug', 'name', 'state']
type Found = { id: string; slug: string; name: string; status: string }
const toLine = ({ id, slug, name, status }: Found): string[] => [id, slug, name, status]

function list({ limit, json }: Values): Work {
  const most = toLimit(limit)
  return async (project, io) => {
    const found = await project.list(['funnels'], { item: Funnel, limit: most })
    if (json) io.out(JSON.stringify(found))
    else io.out(found.items.length === 0 ? 'There is no funnel.' : table([HEAD, ...found.items.map(toLine)]))
    return 0
  }
}

function create(slug: string, { template, name = slug, json }: Values): Work {
  const body = { slug, name, ...(template !== undefined && { templateId: template }) }
  return async (project, io) => {
    const made = await project.call('POST', ['funnels'], { data: Funnel, body })
    io.out(json ? JSON.stringify(made) : table([HEAD, toLine(made)]))
    return 0
  }
}

function exportTexts(funnel: string, { format, output, json }: Values): Work {
  const as = formatOf(format, output)
  if (json) throw new UsageError('texts export prints a file, so it takes no --json')
  return async (project, io) => {
    const { id, slug } = await findFunnel(project, funnel)
    const text = await project.text(['funnels', id, 'translate-template'], { format: as })
    if (output === undefined) io.out(text.trimEnd())
    else {
      await Bun.write(output, text)
      io.out(`The texts of ${slug} are in ${output}.`)
    }
    return 0
  }
}

function importTexts(funnel: string, path: string, { format, json }: Values): Work {
  const as = formatOf(format, path)
  return async (project, io) => {
    const file = Bun.file(path)
    if (!(await file.exists())) throw new CommandFailure('NOT_FOUND', `There is no file ${path}.`)
    const { id, slug } = await findFunnel(project, funnel)
    const body = { format: as, text: await file.text() }
    const answer = await project.call('POST', ['funnels', id, 'translate-template'], { data: Imported, body })
    const { changed, unknown } = answer
    if (json) io.out(JSON.stringify(answer))
    else {
      io.out(`${changed} ${changed === 1 ? 'text' : 'texts'} of ${slug} changed.`)
      if (unknown.length > 0) io.out(`No text has these keys, which were left out: ${unknown.join(', ')}.`)
    }
    return 0
  }
}

/** The format that is named, else that of the ending of the file. */
function formatOf(given: string | undefined, path = ''): 'csv' | 'xliff' {
  if (given === undefined) return /\.(xliff|xlf)$/i.test(path) ? 'xliff' : 'csv'
  if (given === 'csv' || given === 'xliff') return given
  throw new UsageError('--format takes csv or xliff')
}

async function findFunnel(project: ProjectApi, named: string): Promise<Found> {
  const { items } = await project.list(['funnels'], { item: Funnel, limit: Number.POSITIVE_INFINITY })
  const found = items.find(({ slug }) => slug === named) ?? items.find(({ id }) => id === named)
  if (!found) throw new CommandFailure('NOT_FOUND', `There is no funnel "${named}" in ${project.slug}.`)
  return found
}
