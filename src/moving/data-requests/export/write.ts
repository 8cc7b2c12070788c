import { sql } from 'drizzle-orm'
import type { Context } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import { EXPORT_FILES, type ExportFile } from '../../../base/db/personal-data'
import { familyOf } from '../../../people/subscribers/family'
import type { ExportedData, ExportedPerson } from '../../../people/subscribers/hooks'
import { findSubscriber, type SubscriberRow } from '../../../people/subscribers/service'
import type { ProjectState } from '../../../projects/project/state'
import { type PageFacts, SHOWN_ROWS, type ShownFile, toPage } from './page'
import { type ZipEntry, zip } from './zip'

interface ExportOrder {
  personId: string
  requestId: string
  /** In the blob store. */
  key: string
  /** Called now and then. It throws to end the work. */
  onPage(): void
}

/**
 * Writes the zip of a person's data into the blob store. All of it is read from one state of the database, where the
 * database supports that, and written as it is read.
 */
export async function writeExport(ctx: Context, project: ProjectState, order: ExportOrder): Promise<void> {
  const at = ctx.clock.now()
  const write = async (handle: Handle) => {
    const person = await readPerson(handle, project.id, order.personId)
    const parts = (ctx.hooks.onExport ?? []).map((give) => give(handle, project, person, ctx))
    const facts = { projectName: project.name, requestId: order.requestId, at, files: new Map() }
    await ctx.state.blobs.write(order.key, streamOf(zip(entriesOf(parts, facts, order.onPage), at)))
  }
  await ctx.storage.readInThread(write, { group: project.id })
}

async function readPerson(handle: Handle, projectId: string, id: string): Promise<ExportedPerson> {
  const row = await findSubscriber(handle, projectId, id)
  if (!row) throw new Error('the subscriber is gone')
  const { subscribers: s } = handle.tables
  const found = handle.db
    .select({ id: s.id, deviceKey: s.deviceKey, appUserId: s.appUserId, attributes: s.attributes })
    .from(s)
  const family = await found.where(sql`${s.id} in ${familyOf(handle.tables, id)}`).orderBy(s.id)
  return { row, ids: family.map((one) => one.id), texts: family.flatMap(textsOf) }
}

const textsOf = ({
  deviceKey,
  appUserId,
  attributes,
}: Pick<SubscriberRow, 'deviceKey' | 'appUserId' | 'attributes'>): string[] => [
  deviceKey,
  ...(appUserId === null ? [] : [appUserId]),
  ...Object.values(attributes).map(({ value }) => value),
]

interface Facts extends PageFacts {
  files: Map<ExportFile, ShownFile>
}

/** The page comes last, because it shows what the others hold. */
function* entriesOf(parts: readonly ExportedData[], facts: Facts, onPage: () => void): Generator<ZipEntry> {
  for (const name of EXPORT_FILES) {
    const shown: ShownFile = { rows: [], count: 0 }
    facts.files.set(name, shown)
    const rows = watched(
      parts.flatMap((part) => part[name] ?? []),
      shown,
      onPage,
    )
    yield { name, bytes: name.endsWith('.json') ? asObject(rows, shown) : asLines(rows) }
  }
  yield { name: 'index.html', bytes: asText(() => toPage(facts)) }
}

/** The rows of all slices, one slice after the other. Keeps the first of them for the page. */
async function* watched(
  sources: readonly AsyncIterable<object>[],
  shown: ShownFile,
  onPage: () => void,
): AsyncGenerator<object> {
  for (const source of sources)
    for await (const row of source) {
      if (shown.count++ < SHOWN_ROWS) shown.rows.push(row)
      if (shown.count % SHOWN_ROWS === 1) onPage()
      yield row
    }
}

async function* asObject(rows: AsyncIterable<object>, shown: ShownFile): AsyncGenerator<Uint8Array> {
  const all = {}
  for await (const row of rows) Object.assign(all, row)
  const count = Object.keys(all).length
  Object.assign(shown, { rows: count === 0 ? [] : [all], count: count === 0 ? 0 : 1 })
  yield Buffer.from(`${JSON.stringify(all, null, 2)}\n`)
}

const PART_LENGTH = 64 * 1024

async function* asLines(rows: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`
    if (text.length < PART_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

async function* asText(make: () => string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(make())
}

const streamOf = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        await parts.return(undefined)
      },
    },
    { highWaterMark: 1 },
  )
