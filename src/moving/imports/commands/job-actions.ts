import { parseArgs } from 'node:util'
import { CommandFailure, toLimit, UsageError } from '../../../base/cli/command'
import { commonOptions, type ImportCommandAction, withImports } from './action'
import { watchImport } from './progress'
import { hasDifferences, listOf, productsOf, summaryOf, undoneOf, undoQuestion } from './summary'

export const listAction: ImportCommandAction = {
  usage: 'svc import list [--limit N]   the imports of the project',
  async run(args, io) {
    const options = { ...commonOptions, limit: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    if (positionals.length > 0) throw new UsageError('import list takes no name')
    return withImports(io, values, async (imports) => {
      const { items } = await imports.list(toLimit(values.limit))
      if (values.json) io.out(JSON.stringify({ imports: items }))
      else io.out(items.length === 0 ? 'There is no import.' : listOf(items))
      return 0
    })
  },
}

function readId(name: string, args: readonly string[]) {
  const parsed = parseArgs({ args: [...args], allowPositionals: true, options: commonOptions })
  const [id, ...more] = parsed.positionals
  if (id === undefined || more.length > 0) throw new UsageError(`import ${name} takes the ID of an import`)
  return { id, values: parsed.values }
}

export const showAction: ImportCommandAction = {
  usage: 'svc import show ID            one import: what was read, what is wrong with it',
  async run(args, io) {
    const { id, values } = readId('show', args)
    return withImports(io, values, async (imports) => {
      const view = await imports.show(id)
      const failure = view.failure === null ? '' : `\n${view.failure}.`
      io.out(values.json ? JSON.stringify(view) : `${listOf([view])}\n\n${summaryOf(view)}${failure}`)
      return 0
    })
  },
}

export const productsAction: ImportCommandAction = {
  usage: `svc import products ID [--dry-run]
                              creates the products that an import names and the catalogue does not have`,
  async run(args, io) {
    const options = { ...commonOptions, 'dry-run': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [id, ...more] = positionals
    if (id === undefined || more.length > 0) throw new UsageError('import products takes the ID of an import')
    return withImports(io, values, async (imports) => {
      const made = await imports.products(id, { dryRun: values['dry-run'] ?? false })
      io.out(values.json ? JSON.stringify(made) : productsOf(made))
      return 0
    })
  },
}

export const resumeAction: ImportCommandAction = {
  usage: 'svc import resume ID          goes on with an import that was interrupted or not verified whole',
  async run(args, io) {
    const { id, values } = readId('resume', args)
    return withImports(io, values, async (imports) => {
      const progress = watchImport(io, { doing: `Importing ${id}`, rows: null, bytes: null })
      const view = await imports.resume(id, progress.on).finally(progress.end)
      io.out(values.json ? JSON.stringify(view) : summaryOf(view))
      if (view.status === 'FAILED') return 1
      return hasDifferences(view) ? 3 : 0
    })
  },
}

export const cancelAction: ImportCommandAction = {
  usage: 'svc import cancel ID          ends an import; what is written stays',
  async run(args, io) {
    const { id, values } = readId('cancel', args)
    return withImports(io, values, async (imports) => {
      const view = await imports.cancel(id)
      io.out(values.json ? JSON.stringify(view) : `${id} is cancelled.`)
      return 0
    })
  },
}

export const reportAction: ImportCommandAction = {
  usage: 'svc import report ID          every row that cannot be read, as CSV',
  async run(args, io) {
    const { id, values } = readId('report', args)
    if (values.json) throw new UsageError('import report prints CSV; svc import show ID --json has the first 1000 rows')
    return withImports(io, values, async (imports) => {
      io.out((await imports.report(id)).trimEnd())
      return 0
    })
  },
}

export const undoAction: ImportCommandAction = {
  usage: `svc import undo ID [--yes]    takes an import back: what only it has brought goes, later news stays; it asks
                              first, and needs --yes without a terminal and with --json`,
  async run(args, io) {
    const options = { ...commonOptions, yes: { type: 'boolean', short: 'y' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [id, ...more] = positionals
    if (id === undefined || more.length > 0) throw new UsageError('import undo takes the ID of an import')
    if (!values.yes && (!io.isTerminal || values.json)) throw new UsageError('import undo cannot ask here: add --yes')
    return withImports(io, values, async (imports) => {
      if (!values.yes && !(await io.confirm(undoQuestion(await imports.show(id)))))
        throw new CommandFailure('HTTP_ERROR', 'Nothing was taken back.')
      const progress = watchImport(io, { doing: `Taking back ${id}`, rows: null, bytes: null })
      const view = await imports.undo(id, progress.on).finally(progress.end)
      io.out(values.json ? JSON.stringify(view) : undoneOf(view))
      return view.undoneAt === null ? 1 : 0
    })
  },
}
