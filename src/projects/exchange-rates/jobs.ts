import { Type } from '@sinclair/typebox'
import { cronLine, defineJob } from '../../base/jobs/registry'
import { fetchRates } from './fetch'
import { savePackagedRates } from './packaged'

const fetchJob = defineJob({
  name: 'exchange-rates.fetch',
  payload: Type.Object({}, { additionalProperties: false }),
  handle: async (ctx) => {
    await savePackagedRates(ctx)
    await fetchRates(ctx)
  },
})

/** Hourly, but rates are fetched once a day: when the day's are published, and every hour while that fails. */
export const rateCron = [cronLine({ name: 'fetch-exchange-rates', pattern: '42 * * * *', job: fetchJob })]
