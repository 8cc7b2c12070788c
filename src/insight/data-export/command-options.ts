import { type Io, UsageError } from '../../base/cli/command'
import { contentFaults, contentOf } from './content'
import {
  COLUMN_SETS,
  EXPORT_FORMATS,
  EXPORT_TABLES,
  type ExportContent,
  type ExportTable,
  type S3Credentials,
} from './model'

/** One action of `svc export-data`. It reads its own options. */
export interface ExportAction {
  /** Its lines in the help of the command. */
  usage: string
  run(args: readonly string[], io: Io): Promise<number>
}

export const commonOptions = {
  project: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** What is exported, and where the bucket is. */
export const contentOptions = {
  table: { type: 'string' },
  format: { type: 'string' },
  columns: { type: 'string' },
  to: { type: 'string' },
  's3-endpoint': { type: 'string' },
  's3-region': { type: 'string' },
} as const

interface ContentValues {
  table?: string | undefined
  format?: string | undefined
  columns?: string | undefined
  's3-endpoint'?: string | undefined
  's3-region'?: string | undefined
}

export function readContent({ table, format, columns }: ContentValues): ExportContent {
  const given = {
    format: pick('--format', format, EXPORT_FORMATS),
    columns: pick('--columns', columns, COLUMN_SETS),
    tables: readTables(table),
  }
  const [fault] = contentFaults(given)
  if (fault) throw new UsageError(`--table: ${fault.message}`)
  return contentOf(given)
}

function readTables(text: string | undefined): ExportTable[] | undefined {
  if (text === undefined || text === 'all') return undefined
  return text.split(',').flatMap((name) => pick('--table', name.trim(), EXPORT_TABLES) ?? [])
}

function pick<Value extends string>(
  option: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined {
  const known = values.find((value) => value === text)
  if (text !== undefined && known === undefined)
    throw new UsageError(`${option} takes ${values.join(', ')}${option === '--table' ? ' or all' : ''}, not "${text}"`)
  return known
}

/** The address and the region of the bucket's service; null = the usual ones. */
export const readService = (values: ContentValues, { env }: Io) => ({
  endpoint: values['s3-endpoint'] ?? (env.AWS_ENDPOINT_URL || null),
  region: values['s3-region'] ?? (env.AWS_REGION || null),
})

/** Other users of a machine can read the command lines of its processes, so credentials come by the environment. */
export function readCredentials({ env }: Io): S3Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError('a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment')
  return { accessKeyId, secretAccessKey, sessionToken: token || null }
}
