import type { Chart } from '../chart'
import { billingIssueShare } from '../list/billing-issue-share'
import { billingIssues } from '../list/billing-issues'
import { billingRecoveryRate } from '../list/billing-recovery-rate'
import { billingRecoveryTime } from '../list/billing-recovery-time'
import { gracePeriods } from '../list/grace-periods'
import { graceRecoveryRate } from '../list/grace-recovery-rate'

/** Of billing issues and grace periods. */
export const BILLING: readonly Chart[] = [
  billingIssues,
  billingIssueShare,
  billingRecoveryRate,
  billingRecoveryTime,
  gracePeriods,
  graceRecoveryRate,
]
