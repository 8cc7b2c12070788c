import { parseArgs } from 'node:util'
import { type Static, Type } from '@sinclair/typebox'
import { type Command, CommandFailure, type Io, UsageError } from '../../base/cli/command'
import { remoteHelp } from '../../base/cli/remote'
import { table } from '../../base/cli/table'
import { FONT_STYLES } from '../../core/funnel/files'
import { type ProjectApi, projectOptions, withProject } from '../../projects/project/project-api'
import { FaceSchema, FamilySchema } from './operator-wire'

const options = { ...projectOptions, weight: { type: 'string' }, style: { type: 'string' } } as const

export const fontCommand: Command = {
  name: 'font',
  summary: 'fonts of funnels: list, add a face, delete',
  help: `
svc font list
svc font add FAMILY FILE --weight N [--style italic]   makes the family when the project has none of this name
svc font delete FAMILY [FACE]                          the family with all its faces, or the face with this id

FAMILY is a name or an id. A file is OTF, TTF or WOFF2 of at most 2 MiB, and a project has at most 24 faces. The face of
the same weight and style is replaced. A funnel names the family in its theme: {"fonts": {"body": "ffm_…"}}.

  --weight N   1 to 1000; 400 is regular, 700 is bold
  --style S    normal or italic (normal)
  --project P  slug or id; needless with one project
  --data DIR, --json
${remoteHelp(15)}

Example: svc font add Inter ./Inter-Bold.ttf --weight 700`,
  run(args, io) {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const work = toWork(positionals, values)
    return withProject(io, values, (project) => work(project, io))
  },
}

/** A newer server may answer more. */
const Face = Type.Omit(FaceSchema, [], { additionalProperties: true })
const Family = Type.Composite([Type.Omit(FamilySchema, ['faces']), Type.Object({ faces: Type.Array(Face) })], {
  additionalProperties: true,
})
const Deleted = Type.Object({ deleted: Type.Boolean() })
type FamilyData = Static<typeof Family>

type Work = (project: ProjectApi, io: Io) => Promise<number>

interface Values {
  weight?: string | undefined
  style?: string | undefined
  json?: boolean | undefined
}

function toWork([action, family, what, ...more]: readonly string[], values: Values): Work {
  if (action === 'list' && family === undefined) return list(values)
  if (action === 'add' && family !== undefined && what !== undefined && more.length === 0)
    return add(family, what, values)
  if (action === 'delete' && family !== undefined && more.length === 0) return remove(family, what, values)
  throw new UsageError('font takes list, add FAMILY FILE --weight N, or delete FAMILY [FACE]')
}

const familiesOf = async (project: ProjectApi): Promise<FamilyData[]> =>
  (await project.list(['fonts', 'families'], { item: Family, limit: 200 })).items

const list =
  ({ json }: Values): Work =>
  async (project, io) => {
    const items = await familiesOf(project)
    if (json) io.out(JSON.stringify({ items }))
    else io.out(items.length === 0 ? 'There is no font.' : table([HEAD, ...items.flatMap(toLines)]))
    return 0
  }

const HEAD = ['family', 'id', 'face', 'weight', 'style', 'format', 'bytes']

const toLines = ({ id, name, faces }: FamilyData): string[][] =>
  faces.length === 0
    ? [[name, id, '', '', '', '', '']]
    : faces.map((face) => [name, id, face.id, String(face.weight), face.style, face.format, String(face.bytes)])

function add(name: string, path: string, { weight, style = 'normal', json }: Values): Work {
  if (weight === undefined || !/^\d{1,4}$/.test(weight))
    throw new UsageError('Say with --weight how bold it is, 1 to 1000')
  if (!FONT_STYLES.some((one) => one === style)) throw new UsageError(`--style is normal or italic, not "${style}"`)
  return async (project, io) => {
    const file = Bun.file(path)
    if (!(await file.exists())) throw new CommandFailure('NOT_FOUND', `There is no file ${path}.`)
    const family = (await findFamily(project, name)) ?? (await makeFamily(project, name))
    const sent = { data: Face, query: { weight, style }, contentType: 'application/octet-stream' }
    const face = await project.upload(['fonts', 'families', family.id, 'faces'], file, sent)
    io.out(json ? JSON.stringify(face) : table([HEAD, ...toLines({ ...family, faces: [face] })]))
    return 0
  }
}

const findFamily = async (project: ProjectApi, ref: string): Promise<FamilyData | null> =>
  (await familiesOf(project)).find(({ id, name }) => id === ref || name === ref) ?? null

const makeFamily = (project: ProjectApi, name: string): Promise<FamilyData> =>
  project.call('POST', ['fonts', 'families'], { data: Family, body: { name } })

function remove(ref: string, face: string | undefined, { json }: Values): Work {
  return async (project, io) => {
    const family = await findFamily(project, ref)
    if (family === null) throw new CommandFailure('FONT_FAMILY_NOT_FOUND', `There is no font family ${ref}.`)
    const path = ['fonts', 'families', family.id, ...(face === undefined ? [] : ['faces', face])]
    const answer = await project.call('DELETE', path, { data: Deleted })
    io.out(json ? JSON.stringify(answer) : `${face ?? family.name} is deleted.`)
    return 0
  }
}
