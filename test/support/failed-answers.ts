import type { Page } from 'playwright-core'

const AT = '2026-11-20T08:00:00.000Z'
const REVISED = { revision: 1, createdAt: AT, updatedAt: AT }
const list = (...items: object[]) => ({ items, nextCursor: null })

/** The sentences that a server may have written into the rows of one project. */
export interface Sentences {
  exportRun: string
  exportSchedule: string
  comparison: string
  request: string
}

const exported = (error: string) => ({
  ...{ id: 'exp_1', scheduleId: null, to: 's3://bucket/a', tables: ['events'], format: 'csv', columns: 'svc' },
  ...{ from: null, until: AT, status: 'FAILED', rows: 0, bytes: 0, files: [], attempts: 5, error },
  ...{ startedAt: AT, finishedAt: AT },
})

const schedule = (lastError: string) => ({
  ...{ id: 'exs_1', to: 's3://bucket/b', endpoint: null, region: null, accessKeyLast4: 'ABCD', tables: ['events'] },
  ...{ format: 'csv', columns: 'svc', dailyAt: '03:00', isEnabled: true, nextRunAt: AT, failures: 1, lastError },
  ...{ lastRun: null, ...REVISED },
})

const COUNTERS = {
  ...{ people: 0, done: 0, equal: 0, differing: 0, listed: 0, refused: 0, withoutId: 0, unknownThere: 0, later: 0 },
  ...{ undecided: 0, faults: 0, temporary: 0, otherStores: {} },
}

const comparison = (error: string) => ({
  ...{ id: 'cmp_1', vendor: 'revenuecat', url: null, sample: null, rate: 1, skipSandbox: false, isScheduled: false },
  ...{ status: 'FAILED', counters: COUNTERS, differences: 0, kinds: {}, error, startedAt: AT, finishedAt: AT },
})

const request = (error: string) => ({
  ...{ id: 'dsr_1', type: 'ERASURE', status: 'PENDING', requestedBy: 'support', createdAt: AT, updatedAt: AT },
  ...{ completedAt: null, expiresAt: null, error, downloadReady: false, subscriberId: 'sub_1' },
})

/** Answers the page with rows of each kind that have these reasons. */
export async function answerFailed(page: Page, sentences: Sentences): Promise<void> {
  const answers: [path: RegExp, data: object][] = [
    [/\/exports$/, list(exported(sentences.exportRun))],
    [/\/exports\/schedules$/, list(schedule(sentences.exportSchedule))],
    [/\/compare\/runs\/cmp_1$/, comparison(sentences.comparison)],
    [/\/compare\/runs\/cmp_1\/findings$/, list()],
    [/\/dsar$/, list(request(sentences.request))],
  ]
  for (const [path, data] of answers)
    await page.route(
      ({ pathname }) => pathname.startsWith('/dashboard/') && path.test(pathname),
      (route) => route.fulfill({ json: { data } }),
    )
}
