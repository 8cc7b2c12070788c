import { invalid } from '../../base/errors'
import type { KeyState, ProjectState } from '../../projects/project/state'
import { checkReturnUrl, type ReturnUrlResult, type ReturnUrlRule } from '../../stores/payment/return-url'

/** Refuses a return address that the project does not allow (wire 2.18). The error names the member that holds it. */
export function checkReturnUrls(project: ProjectState, key: KeyState, urls: Readonly<Record<string, string>>): void {
  const rule: ReturnUrlRule = {
    isRestricted: project.settings.restrictReturnUrls && key.presented === 'public',
    allowedOrigins: project.allowedOrigins,
    customDomains: [], // This release has no custom domains.
  }
  for (const [name, text] of Object.entries(urls)) {
    const result = checkReturnUrl(text, rule)
    if (!result.ok) throw invalid(sentenceOf(name, result))
  }
}

function sentenceOf(name: string, result: Exclude<ReturnUrlResult, { ok: true }>): string {
  if (result.reason === 'malformed') return `${name} must be an absolute https address`
  if (result.reason === 'scheme') return `${name} must be https (http for localhost only), not ${result.origin}`
  return `${name} leads to ${result.origin}: add it to the allowed origins of the project, or call with a secret key`
}
