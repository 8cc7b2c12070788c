import { Stack } from '../../kit/card'
import { Page } from '../../kit/page'
import { useText } from '../../text/catalogue'
import { LinkedAccounts } from './linked-accounts'
import { Passkeys } from './passkeys'
import { PasswordCard } from './password'
import { TwoFactor } from './two-factor'

/** The ways in which the account can be opened. */
export default function Security() {
  const t = useText('account')
  const c = useText('common')
  return (
    <Page title={c.security} purpose={t.securityPurpose}>
      <Stack>
        <PasswordCard />
        <TwoFactor />
        <Passkeys />
        <LinkedAccounts />
      </Stack>
    </Page>
  )
}
