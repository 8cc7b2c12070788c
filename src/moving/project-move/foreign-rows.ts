import { type Page, quoteName, type RawValue, type TableReader } from '../../base/db/dump'
import { refuse } from './own-rows'
import { conditionOf, parentsOf, type TablePlan } from './plan'
import { referencesIn } from './references'

/** What is asked of the database that a file is imported into. */
export interface Asked {
  reader: TableReader
  plans: readonly TablePlan[]
  projectId: string
}

/** Refuses a page of which a row names something of another project here. Before it is inserted. */
export async function refuseForeignReferences(asked: Asked, plan: TablePlan, page: Page): Promise<void> {
  for (const [table, ids] of referencesIn(plan, page)) {
    const of = asked.plans.find((one) => one.table === table)
    if (!of) throw new Error(`${table} is no table of a project`)
    const [found] = await rowsBeyond(asked, of, 'id', [...ids])
    if (found !== undefined) refuse(plan, `names ${found}, which belongs to another project`)
  }
  for (const [column, { table, times = 1, isMark, isPruned }] of Object.entries(plan.rows.numbers ?? {})) {
    const of = asked.plans.find((one) => one.table === table)
    if (isMark || isPruned || of?.rows.serial === undefined) continue
    const numbers = valuesOf(page, column).map((value) => Math.floor(Number(value) / times))
    if ((await rowsBeyond(asked, of, of.rows.serial, numbers)).length > 0)
      refuse(plan, `names a row of ${table} that belongs to another project`)
  }
}

/** The given keys under which there are rows of other projects. */
async function rowsBeyond({ reader, plans, projectId }: Asked, plan: TablePlan, column: string, keys: RawValue[]) {
  if (keys.length === 0) return []
  const key = `${quoteName(plan.table)}.${quoteName(column)}`
  const isTheirs = conditionOf(plans, plan, projectId)
  const rows = await reader.rows(
    `select ${key} from ${quoteName(plan.table)} where ${key} in (${listOf(keys)}) and not (${isTheirs})`,
  )
  return rows.map(([value]) => value)
}

/** Refuses a page of which a row does not belong to the project by its parent or by the condition. After it is inserted. */
export async function refuseStrayRows(asked: Asked, plan: TablePlan, page: Page): Promise<void> {
  const { through, where } = plan.rows
  if (through === undefined && where === undefined) return
  const owners = through ? parentsOf(asked.plans, plan.rows) : [plan]
  const key = through?.parentKey ?? (page.columns.includes('id') ? 'id' : 'name')
  const wanted = [...new Set(valuesOf(page, through?.column ?? key))]
  let found = 0
  for (const owner of owners) found += await countOwn(asked, owner, key, wanted)
  if (found !== wanted.length) refuse(plan, 'belongs to another project')
}

/** How many of the given keys rows of the project have. */
async function countOwn(
  { reader, plans, projectId }: Asked,
  owner: TablePlan,
  key: string,
  keys: RawValue[],
): Promise<number> {
  const column = `${quoteName(owner.table)}.${quoteName(key)}`
  const isTheirs = conditionOf(plans, owner, projectId)
  const [[count] = []] = await reader.rows(
    `select count(distinct ${column}) from ${quoteName(owner.table)} where ${column} in (${listOf(keys)}) and ${isTheirs}`,
  )
  return Number(count)
}

const valuesOf = ({ columns, rows }: Page, column: string): RawValue[] =>
  rows.flatMap((row) => row[columns.indexOf(column)] ?? [])

const listOf = (values: readonly RawValue[]): string =>
  values.map((value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value))).join(', ')
