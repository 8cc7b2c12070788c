import { invalid } from '../../base/errors'
import { type ListScope, readCursor } from '../../base/http/list'

/** Where a page of a list that is ordered by time starts: after the row with these values. */
export interface After {
  createdAt: number
  id: string
}

/** Null = the first page. 400 `VALIDATION_ERROR` for a cursor that is damaged or belongs to another list. */
export function readAfter(cursor: string | undefined, scope: ListScope): After | null {
  const position = readCursor(cursor, scope, 2)
  if (!position) return null
  const [createdAt, id] = position
  if (typeof createdAt === 'number' && Number.isSafeInteger(createdAt) && typeof id === 'string')
    return { createdAt, id }
  throw invalid('cursor: it does not belong to this list; begin again without it')
}
