import { DumpError, type Page, type RawValue } from '../../base/db/dump'
import type { ProjectFileHeader } from './file'
import type { TablePlan } from './plan'

/**
 * Refuses rows of a file that are not what an export of the project can hold: rows that name another project, serial
 * numbers outside of those that the header announces, and files that belong to other rows. The page is as the file has
 * it. Throws a `DumpError`.
 */
export function refuseStrangeRows(plan: TablePlan, page: Page, header: ProjectFileHeader): void {
  const { by, serial, judge } = plan.rows
  const { columns } = page
  for (const row of page.rows) {
    const read = (column: string): RawValue => row[columns.indexOf(column)] ?? null
    if (by !== undefined && read(by) !== header.project.id) refuse(plan, 'belongs to another project')
    if (columns.includes('id') && !isPlainId(read('id'))) refuse(plan, 'has an id that svc never gives')
    if (serial !== undefined && !isWithin(read(serial), header.numbers[plan.table] ?? null))
      refuse(plan, 'has a number outside of those that the file announces')
    const fault = judge?.(read, header.project) ?? null
    if (fault !== null) refuse(plan, fault)
  }
}

export function refuse({ table }: Pick<TablePlan, 'table'>, what: string): never {
  throw new DumpError(`a row of the table ${table} ${what}; a file of svc holds rows of one project only`)
}

/** Ids become parts of file names and addresses. */
function isPlainId(id: RawValue): boolean {
  return typeof id !== 'string' || (id !== '' && !/[/\\\p{Cc}]/u.test(id))
}

const isWithin = (value: RawValue, range: readonly [number, number] | null): boolean =>
  Number.isSafeInteger(value) && range !== null && Number(value) >= range[0] && Number(value) <= range[1]
