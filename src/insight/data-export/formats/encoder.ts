import type { Column, ExportFormat } from '../model'
import { csvEncoder } from './csv'
import { jsonlEncoder } from './jsonl'
import { parquetEncoder } from './parquet'
import type { RowEncoder } from './row-encoder'

export const createEncoder = async (format: ExportFormat, columns: readonly Column[]): Promise<RowEncoder> => {
  if (format === 'csv') return csvEncoder(columns)
  return format === 'jsonl' ? jsonlEncoder(columns) : parquetEncoder(columns)
}
