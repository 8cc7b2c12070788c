import { DumpError } from '../db/dump'

/** The message of an error's innermost cause, without a full stop. Drivers wrap the original error. */
export function reasonOf(error: unknown): string {
  let link = error
  while (link instanceof Error && link.cause !== undefined && !(link instanceof DumpError)) link = link.cause
  return link instanceof Error ? link.message : String(link)
}
