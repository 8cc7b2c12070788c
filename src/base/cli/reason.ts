import { DumpError } from '../db/dump'

/** What is at the bottom of an error, without a full stop: drivers wrap what went wrong. */
export function reasonOf(error: unknown): string {
  let link = error
  while (link instanceof Error && link.cause !== undefined && !(link instanceof DumpError)) link = link.cause
  return link instanceof Error ? link.message : String(link)
}
