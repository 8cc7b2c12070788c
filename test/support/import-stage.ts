import { join } from 'node:path'
import type { ImportSteps } from '../../src/moving/imports/steps'
import { work } from './accounts'
import type { Answer, Stage } from './cast'
import { memoryBlobs } from './memory-blobs'
import { browserOf, type Staff, type StaffRole, staff } from './staff'

export const importSample = (name: string): string => join(import.meta.dir, '../fixtures/imports', name)

/** What the work behind the reading of rows was given, and how it behaves. */
export interface FakeSteps extends ImportSteps {
  batches: { lines: number[]; people: string[] }[]
  isEnded: number
  verified: number
  /** Runs before a batch is written. */
  before: () => void | Promise<void>
  outcome: 'COMPLETED' | 'VERIFICATION_INCOMPLETE'
}

/** Takes rows and only notes them when their transaction commits. */
export function fakeSteps(): FakeSteps {
  const steps: FakeSteps = {
    ...{ batches: [], isEnded: 0, verified: 0, before: () => {}, outcome: 'COMPLETED' },
    async commitBatch(tx, _project, _job, rows) {
      await steps.before()
      const batch = { lines: rows.map(({ line }) => line), people: rows.map((row) => row.subscriberExternalId) }
      tx.afterCommit(() => void steps.batches.push(batch))
      const made = { subscribersNew: rows.length, purchasesNew: rows.length, purchasesUpdated: 0 }
      return { ...made, skipped: 0, unknownProducts: [] }
    },
    enrichTokens: (...given) => steps.commitBatch(...given),
    async endCommit(tx) {
      tx.afterCommit(() => void steps.isEnded++)
    },
    async verifyJob() {
      steps.verified++
      return steps.outcome
    },
    async undoImport(_ctx, _project, _job, write) {
      const undone = { purchasesRemoved: steps.batches.length, purchasesChanged: 0, subscribersRemoved: 0 }
      await write(async () => {
        await steps.before()
        return undone
      })
      return undone
    },
  }
  return steps
}

/** A stage whose imports lie in memory, with members who may import. */
export interface ImportStage {
  s: Stage
  team: Staff
  steps: FakeSteps
  blobs: ReturnType<typeof memoryBlobs>
  /** Sends a file; a text or bytes. */
  upload(content: string | Uint8Array, options?: UploadOptions): Promise<Answer>
  /** Uploads what must be accepted and returns the job. */
  make(content: string | Uint8Array, options?: UploadOptions): Promise<Answer['body']>
  act(id: string, action: string, as?: StaffRole): Promise<Answer>
  report(id: string): Promise<Answer>
  /** Does the work that is due, and reads the job. */
  worked(id: string): Promise<Answer['body']>
}

export interface UploadOptions {
  fileName?: string
  as?: StaffRole
  /** The stage's project when absent. */
  projectId?: string
  path?: string
  headers?: Record<string, string>
}

export function importStage(s: Stage): ImportStage {
  const team = staff(s)
  const [steps, blobs] = [fakeSteps(), memoryBlobs()]
  s.ctx.state.importSteps = steps
  s.ctx.state.blobs = blobs
  const upload: ImportStage['upload'] = (content, options = {}) => {
    const { fileName = 'history.csv', as = 'ADMIN', projectId = s.project.id, path, headers } = options
    const to = `${path ?? '/imports'}?fileName=${encodeURIComponent(fileName)}`
    return send(s, 'POST', `/dashboard/projects/${projectId}${to}`, content, { role: as, ...headers })
  }
  return {
    ...{ s, team, steps, blobs, upload },
    async make(content, options) {
      const answer = await upload(content, options)
      if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body.data
    },
    act: (id, action, as = 'ADMIN') => team.as(as).post(`/imports/${id}/${action}`),
    report: (id) =>
      send(s, 'GET', `/dashboard/projects/${s.project.id}/imports/${id}/report.csv`, null, { role: 'ADMIN' }),
    async worked(id) {
      await work(s)
      return (await team.as('ADMIN').get(`/imports/${id}`)).body.data
    },
  }
}

/** Calls as a browser does; the answer may be a file. */
async function send(
  s: Stage,
  method: string,
  path: string,
  content: string | Uint8Array | null,
  { role, ...headers }: Record<string, string>,
): Promise<Answer> {
  const { origin, cookie } = browserOf(s)
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      cookie: `${cookie}=${role}`,
      origin,
      'content-type': 'text/csv',
      ...headers,
    },
    ...(content !== null && { body: new Blob([content as Uint8Array<ArrayBuffer>]).stream() }),
  })
  const response = await s.app.handle(request)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
}

const HEADER = 'subscriberExternalId,store,productIdentifier,purchaseDate,originalTransactionId'

/** Rows in the canonical columns, numbered. */
export const rowsOf = (
  count: number,
  line = (n: number) => `person_${n},ios_store,com.x.pro.monthly,2026-01-01,${n}`,
) => [HEADER, ...Array.from({ length: count }, (_, n) => line(n + 1)), ''].join('\n')
