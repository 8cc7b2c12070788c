import { Type } from '@sinclair/typebox'
import { AppError } from '../../../base/errors'
import { SECOND } from '../../../base/lib/clock'
import type { ProjectApi } from '../../../projects/project/project-api'
import { isRunning } from '../machine'
import { ImportSchema } from '../operator-wire'
import { ImportProductsSchema } from '../products/wire'
import type { ImportView } from '../views'
import type { ImportTarget } from './target'
import { openFile, untilEnded } from './wait'

/** A newer server may answer more. */
const Job = Type.Omit(ImportSchema, [], { additionalProperties: true })
const Products = Type.Composite(
  [
    Type.Omit(ImportProductsSchema, ['waitingPurchases']),
    Type.Object({ waitingPurchases: Type.Optional(Type.Integer()) }), // An older server does not tell it.
  ],
  { additionalProperties: true },
)

export function remoteImports(project: ProjectApi, signal: AbortSignal): ImportTarget {
  const show = (id: string): Promise<ImportView> =>
    inTurn(signal, () => project.call('GET', ['imports', id], { data: Job }))
  const act = (id: string, action: string): Promise<ImportView> =>
    inTurn(signal, () => project.call('POST', ['imports', id, action], { data: Job }))
  return {
    async upload(from) {
      const { file, fileName } = await openFile(from)
      const sent = { data: Job, query: { fileName }, contentType: typeOf(fileName) }
      return inTurn(signal, () => project.upload(['imports'], file, sent))
    },
    changeMapping: (id, change) =>
      inTurn(signal, () => project.call('PATCH', ['imports', id, 'mapping'], { data: Job, body: change })),
    async dryRun(id, onPosition) {
      await act(id, 'dry-run')
      return untilEnded(() => show(id), onPosition, signal)
    },
    async commit(id, onPosition) {
      await act(id, 'commit')
      return untilEnded(() => show(id), onPosition, signal)
    },
    async resume(id, onPosition) {
      if (!isRunning((await show(id)).status)) await act(id, 'resume')
      return untilEnded(() => show(id), onPosition, signal)
    },
    cancel: (id) => act(id, 'cancel'),
    list: (limit) => project.list(['imports'], { item: Job, limit }),
    show,
    async products(id, order) {
      const call = () => project.call('POST', ['imports', id, 'products'], { data: Products, body: order })
      const { waitingPurchases = 0, ...made } = await inTurn(signal, call)
      return { ...made, waitingPurchases }
    },
    report: (id) => inTurn(signal, () => project.text(['imports', id, 'report.csv'])),
    async undo(id, onPosition) {
      if ((await show(id)).status !== 'UNDOING') await act(id, 'undo')
      return untilEnded(() => show(id), onPosition, signal)
    },
  }
}

function typeOf(fileName: string): string {
  if (/\.zip$/i.test(fileName)) return 'application/zip'
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return 'application/jsonl'
  return /\.(gz|gzip)$/i.test(fileName) ? 'application/gzip' : 'text/csv'
}

/** The server takes a few changes a minute; waits until it takes another one. */
async function inTurn<Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof AppError) || error.refusal !== 'RATE_LIMITED' || signal.aborted) throw error
      await Bun.sleep(waitSeconds(error) * SECOND)
    }
  }
}

function waitSeconds(error: AppError): number {
  const details: unknown = error.details
  const isNamed = typeof details === 'object' && details !== null && 'retryAfterSeconds' in details
  const seconds = isNamed ? Number(details.retryAfterSeconds) : Number.NaN
  return seconds >= 1 && seconds <= 120 ? seconds : 5
}
