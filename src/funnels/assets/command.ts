import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Type } from '@sinclair/typebox'
import { type Command, CommandFailure, type Io, toLimit, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import type { AssetKind } from '../../core/funnel/files'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { pictureFormatOf, VIDEO_HEADER_BYTES, videoFormatOf } from './formats'
import { AssetSchema } from './operator-wire'
import type { AssetView } from './view'

const options = { ...projectOptions, name: { type: 'string' }, limit: { type: 'string' } } as const

export const assetCommand: Command = {
  name: 'asset',
  summary: 'pictures, videos and animations of funnels: list, upload, delete',
  help: `
svc asset list [--limit N]
svc asset upload FILE [--name NAME]   prints the id, which a funnel names as {"asset": "ast_…"}
svc asset delete ID                   refused while a draft, a published version or the project shows it

JPEG, PNG, WebP and GIF of at most 10 MiB become WebP in several sizes, without metadata; MP4 and WebM of at most 50 MiB
and Lottie JSON of at most 2 MiB are kept as they are. The first bytes of the file say what it is.

  --name NAME  letters, digits, spaces, dots, dashes and underscores (the name of the file)
  --limit N    the newest N (50)
  --project P  slug or id; needless with one project
  --data DIR, --json
${remoteHelp(15)}

Example: svc asset upload ./night-hills.jpg`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withProject(io, values, (project) => work(project, io))
  },
}

/** A newer server may answer more. */
const Asset = Type.Omit(AssetSchema, [], { additionalProperties: true })
const Deleted = Type.Object({ deleted: Type.Boolean() })

type Work = (project: ProjectApi, io: Io) => Promise<number>

interface Values {
  name?: string | undefined
  limit?: string | undefined
  json?: boolean | undefined
}

function toWork([action, what, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && what === undefined) return list(values)
  if (action === 'upload' && what !== undefined && more.length === 0) return upload(what, values)
  if (action === 'delete' && what !== undefined && more.length === 0) return remove(what, values)
  throw new UsageError('asset takes list, upload FILE or delete ID')
}

function list({ limit, json }: Values): Work {
  const most = toLimit(limit)
  return async (project, io) => {
    const found = await project.list(['assets'], { item: Asset, limit: most })
    if (json) io.out(JSON.stringify(found))
    else
      io.out(
        found.items.length === 0 ? 'There is no file.' : table([HEAD, ...(found.items as AssetView[]).map(toLine)]),
      )
    return 0
  }
}

const HEAD = ['id', 'name', 'kind', 'size', 'bytes', 'used by']

const toLine = ({ id, name, kind, width, height, bytes, references }: AssetView): string[] => [
  id,
  name,
  kind,
  width === null ? '' : `${width}x${height}`,
  String(bytes),
  [...new Set(references.map((reference) => reference.name))].join(', '),
]

function upload(path: string, { name = basename(path), json }: Values): Work {
  return async (project, io) => {
    const file = Bun.file(path)
    if (!(await file.exists())) throw new CommandFailure('NOT_FOUND', `There is no file ${path}.`)
    const kind = await kindOf(file)
    const sent = { data: Asset, query: { name }, contentType: 'application/octet-stream' }
    const made = (await project.upload(['assets', kind], file, sent)) as AssetView
    io.out(json ? JSON.stringify(made) : table([HEAD, toLine(made)]))
    return 0
  }
}

/** What is neither a picture nor a video is sent as an animation, and refused when it is none. */
async function kindOf(file: Blob): Promise<AssetKind> {
  const head = await file.slice(0, VIDEO_HEADER_BYTES).bytes()
  if (pictureFormatOf(head) !== null) return 'image'
  return videoFormatOf(head) === null ? 'lottie' : 'video'
}

function remove(id: string, { json }: Values): Work {
  return async (project, io) => {
    const answer = await project.call('DELETE', ['assets', id], { data: Deleted })
    io.out(json ? JSON.stringify(answer) : `${id} is deleted.`)
    return 0
  }
}
