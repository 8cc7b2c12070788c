import type { Schemas } from '../../api/schemas'
import { csvLine } from '../../lib/csv'

/** A result as CSV. */
export const toCsv = ({ columns, rows }: Schemas['QueryResult']): string => [columns, ...rows].map(csvLine).join('')
