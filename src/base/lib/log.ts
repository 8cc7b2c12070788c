export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']

type Fields = Record<string, string | number | boolean | null | undefined>

export interface Log {
  /** Whether `debug` lines are written. Callers check it before they collect fields for such a line. */
  readonly isDebug: boolean
  debug(message: string, fields?: Fields): void
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

export interface LogOptions {
  level: LogLevel
  now: () => number
  /** Short lines for a person at a terminal instead of JSON. */
  isHuman?: boolean
  write?: (line: string) => void
}

/** One JSON object per line on stderr. Callers pass ids and counts, never bodies, keys or attributes. */
export function createLog({ level, now, isHuman = false, write = writeStderr }: LogOptions): Log {
  const from = LOG_LEVELS.indexOf(level)
  const emit =
    (name: LogLevel) =>
    (message: string, fields: Fields = {}) => {
      if (LOG_LEVELS.indexOf(name) < from) return
      const at = new Date(now()).toISOString()
      write(isHuman ? humanLine(name, message, fields) : JSON.stringify({ at, level: name, message, ...fields }))
    }
  return { isDebug: from === 0, debug: emit('debug'), info: emit('info'), warn: emit('warn'), error: emit('error') }
}

function humanLine(level: LogLevel, message: string, fields: Fields): string {
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${value}`)
  return `${level.padEnd(5)} ${message}${rest.join('')}`
}

const writeStderr = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Name and message of anything thrown, for log lines. Never contains the stack of a refusal, nor members of objects. */
export function describeError(error: unknown): string {
  if (error instanceof Error)
    return `${error.name}: ${sentenceOf(error)}${error.cause ? ` <- ${describeError(error.cause)}` : ''}`
  return typeof error === 'object' && error !== null ? kindOf(error) : String(error)
}

/** Libraries attach objects as causes, which may hold what must not be logged. */
const kindOf = (value: object): string => {
  const { code, name } = value as { code?: unknown; name?: unknown }
  return (
    [code, name].find((one) => typeof one === 'string')?.toString() ?? `a value of the type ${value.constructor?.name}`
  )
}

const MAX_SENTENCE = 300

// Only the first line is safe to log: in the following lines drizzle puts the parameters of a failed query.
const sentenceOf = ({ message }: Error): string => (message.split('\n', 1)[0] ?? '').slice(0, MAX_SENTENCE)

/** The stack of an error without its message. */
export const describeStack = (error: unknown): string | undefined =>
  error instanceof Error ? error.stack?.match(/^\s+at .*$/gm)?.join('\n') : undefined
