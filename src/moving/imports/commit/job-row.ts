import type { Handle } from '../../../base/db/handle'

export type ImportJobRow = Handle['tables']['importJobs']['$inferSelect']
