import { slice } from '../../base/slice'
import { mailTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    mal: string
  }
}

/** Mail to the people who run projects. */
export const mail = slice({ name: 'mail', tables: mailTables, cachedRows: { mails: 'NOBODY' } })
