import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { readConfig } from '../../src/base/config'
import type { Context } from '../../src/base/context'
import { systemClock } from '../../src/base/lib/clock'
import { createContext } from '../../src/create-context'
import { EXPORT_FORMATS, type ExportFormat, type ExportTable } from '../../src/insight/data-export/model'
import { performSingle, prepareSingle } from '../../src/insight/data-export/single'
import { TEST_KEY } from '../support/context'
import { alternate, median, pieceRound, type Round } from './measure'
import type { Row } from './report'
import { seed } from './seed'
import type { Template } from './template'

const TABLES: readonly ExportTable[] = ['subscribers', 'purchases', 'transactions', 'ledger']
const SEEDED = ['subscribers', 'purchases', 'purchase_observations', 'transactions', 'ledger', 'balances']
const SMALL_SIZE = 10_000

interface Plan {
  folder: string
  template: Template
  /** Subscribers in the larger database, each with a purchase and its lines. */
  subscribers: number
  rounds: number
  say: (line: string) => void
}

/** Exported rows a second beside a plain SELECT of the same rows, and the memory that an export takes. */
export async function benchExports({ folder, template, subscribers, rounds, say }: Plan): Promise<Row[]> {
  const found: Row[] = []
  const memory: number[] = []
  for (const size of [SMALL_SIZE, subscribers]) {
    const own = join(folder, `exports-${size}`)
    seed(template, own, size, say, SEEDED)
    const stage = { folder: own, projectId: template.project.id, size }
    const { rows, megabytes } = await measure(stage, rounds, say)
    found.push(...rows)
    memory.push(megabytes)
    rmSync(own, { recursive: true })
  }
  const [small = 0, large = 0] = memory
  const what = `export, ${subscribers.toLocaleString('en')} subscribers (yardstick: ${SMALL_SIZE.toLocaleString('en')}): memory at the most`
  const yardstick = { value: small, unit: 'MB' } as const
  return [
    ...found,
    { what, result: { value: large, unit: 'MB' }, yardstick, aim: { of: 'ratio', is: 'at most', value: 1.5 } },
  ]
}

interface Stage {
  folder: string
  projectId: string
  size: number
}

async function measure(stage: Stage, rounds: number, say: Plan['say']): Promise<{ rows: Row[]; megabytes: number }> {
  const config = readConfig({ SVC_DATA_DIR: stage.folder, SVC_MASTER_KEY: TEST_KEY })
  const ctx = await createContext(config, { clock: systemClock })
  const peak = new Peak()
  try {
    const measured = await alternate<ExportFormat | 'select'>(rounds, {
      csv: () => exportRound(ctx, stage, 'csv'),
      jsonl: () => exportRound(ctx, stage, 'jsonl'),
      parquet: () => exportRound(ctx, stage, 'parquet'),
      select: async () => selectRound(stage),
    })
    const yardstick = { value: measured.select.perSecond, unit: 'rows/s' } as const
    const rows = EXPORT_FORMATS.map((format): Row => {
      const { perSecond, rounds: each, faults } = measured[format]
      say(`export, ${format}, ${stage.size} subscribers: ${Math.round(perSecond)} rows/s`)
      const what = `export, ${format}, ${stage.size.toLocaleString('en')} subscribers (yardstick: a plain SELECT)`
      return { what, result: { value: perSecond, unit: 'rows/s' }, yardstick, aim: null, faults, rounds: each }
    })
    return { rows, megabytes: peak.end() }
  } finally {
    peak.end()
    await ctx.close()
  }
}

async function exportRound(ctx: Context, { folder, projectId }: Stage, format: ExportFormat): Promise<Round> {
  const path = join(folder, 'out')
  mkdirSync(path)
  const content = { tables: TABLES, format, columns: 'svc' } as const
  const startedAt = performance.now()
  const { run } = await prepareSingle(ctx, { ...content, projectId, target: path, since: null })
  const place = { destination: { kind: 'folder', path }, credentials: null } as const
  const { rowCount } = await performSingle(ctx, run, place, { isStopping: () => false })
  const round = pieceRound(rowCount, performance.now() - startedAt)
  rmSync(path, { recursive: true })
  return round
}

/** Reads the same tables without anything else. */
function selectRound({ folder, projectId }: Stage): Round {
  const database = new Database(join(folder, 'svc.db'))
  const startedAt = performance.now()
  let rows = 0
  for (const table of TABLES) {
    const found = database.prepare(`SELECT * FROM ${table} WHERE project_id = ?`).raw(true)
    for (const _ of found.iterate([projectId])) rows++
  }
  const round = pieceRound(rows, performance.now() - startedAt)
  database.close()
  return round
}

const SAMPLE_MS = 50

/** The most memory of this process while it runs, as the median of the highest tenth of the samples. */
export class Peak {
  private readonly samples: number[] = []
  private readonly timer = setInterval(() => this.samples.push(process.memoryUsage.rss()), SAMPLE_MS)

  end(): number {
    clearInterval(this.timer)
    const highest = this.samples.toSorted((a, b) => b - a)
    return median(highest.slice(0, Math.max(1, Math.ceil(highest.length / 10)))) / 1e6
  }
}
