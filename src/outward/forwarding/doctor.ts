import type { Examination } from '../../base/cli/doctor'
import { type Finding, finding } from '../../core/finding/findings'
import { type ForwardRow, listForwardRows } from '../../projects/connections/forwards/forwards'
import { countFailures } from '../deliveries/failures'

/** Checks that forwarded notifications arrive. */
export const forwardExamination: Examination = {
  name: 'forwarding',
  async project({ handle, now }, { id }) {
    const forwards = await listForwardRows(handle, id)
    const ids = forwards.map((row) => row.id)
    const failures = await countFailures(handle, ids, now)
    return { faults: forwards.filter(isFailing).map((row) => faultOf(row, failures.get(row.id) ?? 0)) }
  },
}

const isFailing = ({ lastStatus, lastAt }: ForwardRow): boolean =>
  lastAt !== null && (lastStatus === null || lastStatus < 200 || lastStatus >= 300)

function faultOf({ id, store, url, lastStatus }: ForwardRow, failures: number): Finding {
  const answer = lastStatus === null ? 'there was no answer' : `the answer was ${lastStatus}`
  const host = URL.parse(url)?.host ?? 'the address'
  const sentence = `Notifications of ${store} are not taken by ${host} (${id}): ${answer}, ${failures} failed attempts in 24 hours; correct the receiver, or delete the forward.`
  return lastStatus === null
    ? finding('FORWARD_NO_ANSWER', { store, host, failures }, sentence)
    : finding('FORWARD_REFUSED', { store, host, status: lastStatus, failures }, sentence)
}
