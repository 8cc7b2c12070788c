import type { Schemas } from '../../../api/schemas'

export type Schedule = Schemas['ExportSchedule']
type Body = Schemas['ExportScheduleRequest']

export const PATH = '/dashboard/projects/{projectId}/exports/schedules'

export const TABLES = ['subscribers', 'purchases', 'transactions', 'events', 'ledger'] as const
export const FORMATS = ['csv', 'jsonl', 'parquet'] as const
export const COLUMN_SETS = ['svc', 'revenuecat_v5'] as const

export interface Draft {
  to: string
  format: Schedule['format']
  columns: Schedule['columns']
  tables: Schedule['tables']
  dailyAt: string
  endpoint: string
  region: string
  /** Written only; empty means that the saved pair stays. */
  accessKeyId: string
  secretAccessKey: string
}

export const draftOf = (saved: Schedule | null): Draft => ({
  to: saved?.to ?? '',
  format: saved?.format ?? 'csv',
  columns: saved?.columns ?? 'svc',
  tables: saved?.tables ?? [...TABLES],
  dailyAt: saved?.dailyAt ?? '02:00',
  endpoint: saved?.endpoint ?? '',
  region: saved?.region ?? '',
  accessKeyId: '',
  secretAccessKey: '',
})

export function bodyOf({ endpoint, region, accessKeyId, secretAccessKey, tables, ...rest }: Draft): Body {
  const isVendor = rest.columns === 'revenuecat_v5'
  return {
    ...rest,
    tables: isVendor ? ['transactions'] : tables,
    endpoint: endpoint.trim() || null,
    region: region.trim() || null,
    ...(accessKeyId.trim() !== '' && { accessKeyId: accessKeyId.trim() }),
    ...(secretAccessKey.trim() !== '' && { secretAccessKey: secretAccessKey.trim() }),
  }
}
