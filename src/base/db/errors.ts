import { AppError } from '../errors'

interface DriverError {
  code?: unknown
  extendedCode?: unknown
  message?: unknown
  cause?: unknown
}

/** Whether a unique index refused a row, for every driver. */
export const isUniqueViolation = (error: unknown): boolean =>
  hasCode(
    error,
    (code) => code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY',
  )

/**
 * Whether the whole transaction may succeed when it runs again: it lost a race, or a prepared statement no longer fits
 * its tables (0A000) or is not known to the server (26000, 42P05). Nothing is broken.
 */
export const isRetryable = (error: unknown): boolean =>
  hasCode(error, (code) => /^(40001|40P01|0A000|26000|42P05)$/.test(code)) || isUniqueViolation(error)

/** Whether another process holds the write lock of the file. */
export const isBusy = (error: unknown): boolean => hasCode(error, (code) => /^SQLITE_(BUSY|LOCKED)/.test(code))

export const isMissingTable = (error: unknown): boolean =>
  hasCode(error, (code) => code === '42P01') ||
  chain(error).some(({ message }) => /no such table/i.test(String(message)))

/** Whether the database itself cannot serve: not reachable, full, read-only, locked, damaged, or not one of ours. */
export const isUnavailable = (error: unknown): boolean =>
  hasCode(error, isFaultCode) || isNetworkFault(error) || isMissingTable(error)

const SQLITE_FAULT = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL|NOLFS|PERM|AUTH)/
// Postgres classes: 08 connection, 53 resources, 57 operator intervention, 58 system; 25006 read-only, 3D000 no database.
const POSTGRES_FAULT = /^(08\w{3}|53\w{3}|57\w{3}|58\w{3}|25006|3D000|28\w{3})$/
const CONNECTION_FAULT =
  /^(CONNECTION_\w+|CONNECT_TIMEOUT|E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)|ConnectionRefused|ConnectionClosed|FailedToOpenSocket|SERVER_ERROR|HRANA_\w+|TRANSACTION_CLOSED|CLIENT_CLOSED)$/

/** Whether the connection that gave this error can no longer be used. */
export const isConnectionLost = (error: unknown): boolean =>
  hasCode(error, (code) => /^(CONNECTION_\w+|CONNECT_TIMEOUT|E(CONNRESET|PIPE|TIMEDOUT))$/.test(code))

const isFaultCode = (code: string): boolean =>
  SQLITE_FAULT.test(code) || POSTGRES_FAULT.test(code) || CONNECTION_FAULT.test(code)

const isNetworkFault = (error: unknown): boolean =>
  chain(error).some(
    ({ message }) =>
      typeof message === 'string' &&
      /fetch failed|socket connection was closed|Unable to connect|operation timed out/i.test(message),
  )

/** Whether the error or one of its causes has such a code. */
export function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  return chain(error).some((link) =>
    [link.code, link.extendedCode].some((code) => typeof code === 'string' && matches(code)),
  )
}

/** The error and its causes. Drivers wrap the original error at different depths. */
function chain(error: unknown): DriverError[] {
  const links: DriverError[] = []
  let link: unknown = error
  while (typeof link === 'object' && link !== null && links.length < 8) {
    links.push(link)
    link = (link as DriverError).cause
  }
  return links
}

/** Whether a driver reports a fault of the database. A refusal of our own never counts, whatever its cause. */
export const isDatabaseFault = (error: unknown): boolean => !(error instanceof AppError) && isUnavailable(error)

/** A fault of the database becomes 503 `DATABASE_UNAVAILABLE`; any other error is returned unchanged. */
export const toAppError = (error: unknown): unknown => (isDatabaseFault(error) ? databaseUnavailable(error) : error)

export const databaseUnavailable = (cause: unknown): AppError =>
  new AppError('DATABASE_UNAVAILABLE', undefined, { cause })
