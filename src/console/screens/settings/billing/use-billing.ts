import { useRead } from '../../../api/queries'
import { useProject, useReadOnly } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { CARDS, DETAILS } from './billing-model'

/** Why the billing may not be changed, or null. */
export function useBillingReason(): string | null {
  const c = useText('common')
  const { hasRole } = useProject()
  const readOnly = useReadOnly()
  return readOnly ?? (hasRole('ADMIN') ? null : c.roleNeeded('ADMIN'))
}

export function useCards() {
  const { path } = useProject()
  return useRead(CARDS, { params: { path } })
}

export function useDetails() {
  const { path } = useProject()
  return useRead(DETAILS, { params: { path } })
}
