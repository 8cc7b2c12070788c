import { describe } from 'bun:test'
import { stage } from '../support/cast'
import { testResponseCache } from '../support/response-cache-laws'
import { hasSqld, startSqld } from '../support/sqld'

describe.skipIf(!hasSqld())('a libSQL server', () => {
  testResponseCache(async () => stage({ env: { SVC_DATABASE_URL: (await startSqld()).url } }))
})
