import { parseArgs } from 'node:util'
import { type Command, type Io, UsageError } from '../../base/cli/command'
import { withContext } from '../../base/cli/context'
import { table } from '../../base/cli/table'
import type { Context } from '../../base/context'
import { toIso } from '../../base/lib/time'
import { requireProject } from './lookup'
import { type CreatedProject, createProject, listProjects, suspendProject, unsuspendProject } from './service'

const options = {
  name: { type: 'string' },
  slug: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const projectCommand: Command = {
  name: 'project',
  summary: 'create, list, suspend or unsuspend projects',
  optionOf: { name: '--name', slug: '--slug' },
  help: `
svc project create --name NAME [--slug SLUG]   prints projectId, publicKey and secretKey; the secret is shown once
svc project list
svc project suspend ID | unsuspend ID          closes or opens the dashboard of a project; its apps keep working

ID is the slug or the prj_ id. Options: --data DIR, --json

Example: svc project create --name "Sleep App" --json`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [action, ref] = positionals
    const work = ACTIONS[action ?? '']
    if (!work) throw new UsageError('project takes create, list, suspend or unsuspend')
    return withContext(io, values, (ctx) =>
      work(ctx, { io, ref, json: values.json ?? false, name: values.name, slug: values.slug }),
    )
  },
}

interface Given {
  io: Io
  ref: string | undefined
  json: boolean
  name: string | undefined
  slug: string | undefined
}

const ACTIONS: Record<string, (ctx: Context, given: Given) => Promise<number>> = {
  create: async (ctx, { io, json, name, slug }) => {
    if (name === undefined) throw new UsageError('project create needs --name')
    const created = await createProject(ctx, { name, slug })
    io.out(json ? JSON.stringify(keysOf(created)) : createdText(created))
    return 0
  },
  list: async (ctx, { io, json }) => {
    const rows = (await listProjects(ctx)).map(({ id, slug, name, suspendedAt }) => ({
      id,
      slug,
      name,
      suspendedAt: suspendedAt === null ? null : toIso(suspendedAt),
    }))
    if (json) io.out(JSON.stringify({ projects: rows }))
    else
      io.out(
        table([
          ['id', 'slug', 'name', 'suspended'],
          ...rows.map((row) => [row.id, row.slug, row.name, row.suspendedAt ?? '-']),
        ]),
      )
    return 0
  },
  suspend: (ctx, given) => changeSuspension(ctx, given, true),
  unsuspend: (ctx, given) => changeSuspension(ctx, given, false),
}

async function changeSuspension(ctx: Context, { io, ref, json }: Given, isSuspended: boolean): Promise<number> {
  if (ref === undefined) throw new UsageError(`project ${isSuspended ? 'suspend' : 'unsuspend'} needs a slug or id`)
  const { id } = await requireProject(ctx, ref)
  const { slug } = await (isSuspended ? suspendProject(ctx, id) : unsuspendProject(ctx, id))
  io.out(json ? JSON.stringify({ id, slug, isSuspended }) : `${slug} is ${isSuspended ? 'suspended' : 'open'}.`)
  return 0
}

const keysOf = ({ project, publicKey, secretKey }: CreatedProject) => ({ projectId: project.id, publicKey, secretKey })

const createdText = (created: CreatedProject): string =>
  [
    table([
      ...Object.entries(keysOf(created)).map(([name, value]) => [name, value ?? '-']),
      ['slug', created.project.slug],
    ]),
    '',
    'Keep the secret key now: only its hash is stored.',
  ].join('\n')
