import { constants, gunzipSync } from 'node:zlib'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DumpError } from '../../base/db/dump'
import { type ReadOptions, readDumpFile } from '../../base/db/dump-file'
import { parseJson } from '../../base/lib/json'
import { ROLES } from '../../core/roles/roles'
import { FileKeySchema } from './secrets'

const FORMAT = 'svc-project'
const FORMAT_VERSION = 1

const Count = Type.Integer({ minimum: 0 })

const HeaderSchema = Type.Object({
  format: Type.Literal(FORMAT),
  formatVersion: Type.Integer(),
  /** Version of the svc that wrote the file. */
  version: Type.String(),
  createdAt: Type.String(),
  migrations: Type.Array(Type.String()),
  project: Type.Object({ id: Type.String(), slug: Type.String(), name: Type.String(), configVersion: Type.Integer() }),
  /** Number of rows by table. */
  counts: Type.Record(Type.String(), Count),
  /** The serial numbers of the project's rows by table. */
  numbers: Type.Record(Type.String(), Type.Union([Type.Tuple([Type.Integer(), Type.Integer()]), Type.Null()])),
  key: FileKeySchema,
  members: Type.Array(Type.Object({ email: Type.String(), role: Type.Union(ROLES.map((role) => Type.Literal(role))) })),
})

export type ProjectFileHeader = Static<typeof HeaderSchema>

const EndSchema = Type.Object({ digest: Type.String({ pattern: '^[0-9a-f]{64}$' }) })

export const projectHeaderLine = (facts: Omit<ProjectFileHeader, 'format' | 'formatVersion'>): string =>
  `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...facts })}\n`

/** The line after the last row. */
export const digestLine = (digest: string): string => `${JSON.stringify({ digest })}\n`

/** Whether a line of a file is a row. */
export const isRowLine = (line: string): boolean => line.startsWith('{"t":')

/** The header of a complete file. Throws a `DumpError` when anything is missing or was changed. */
export async function checkProjectFile(
  path: string,
  options: ReadOptions,
): Promise<{ header: ProjectFileHeader; digest: string }> {
  let header: ProjectFileHeader | undefined
  let last = ''
  await readDumpFile(
    path,
    (block) => {
      header ??= parseProjectHeader(block.subarray(0, block.indexOf(10)).toString())
      last = block.subarray(block.lastIndexOf(10, block.length - 2) + 1).toString()
    },
    options,
  )
  const end = parseJson(last)
  if (header === undefined || !Value.Check(EndSchema, end)) throw new DumpError('it is not a project of svc')
  return { header, digest: end.digest }
}

function parseProjectHeader(line: string): ProjectFileHeader {
  const header = parseJson(line)
  if (!Value.Check(HeaderSchema, header)) throw new DumpError('it is not a project of svc')
  if (header.formatVersion > FORMAT_VERSION)
    throw new DumpError(`svc ${header.version} made it in a newer format; import it with that version`)
  refuseHighNumbers(header)
  return header
}

/** A database that gave as many numbers to its rows would be larger than any disk. */
const HIGHEST_NUMBER = 2 ** 44

/** Numbers are given upwards: a file with a very high one would leave none for the other projects. */
function refuseHighNumbers({ numbers }: ProjectFileHeader): void {
  for (const [table, range] of Object.entries(numbers))
    if (range !== null && (range[0] < 0 || range[1] < range[0] || range[1] > HIGHEST_NUMBER))
      throw new DumpError(`it announces numbers for the table ${table} that svc never gives`)
}

const FIRST_BYTES = 4096

/** Whether a file starts as `svc export --with-data` writes it. False for everything else, also for what is no gzip. */
export async function isProjectFile(path: string): Promise<boolean> {
  try {
    const bytes = await Bun.file(path).slice(0, FIRST_BYTES).bytes()
    const text = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString()
    return text.startsWith(`{"format":"${FORMAT}"`)
  } catch {
    return false // It cannot be read, or is no gzip.
  }
}
