import { useText } from '../../../text/catalogue'

/** The same reason, for a connection instead of an endpoint. */
const SAME: Readonly<Record<string, string>> = {
  integration_disabled: 'disabled',
  integration_deleted: 'deleted',
  credentials_unreadable: 'secret_unreadable',
}

/** Why something was not sent or not taken, in words; the code itself where it has none. */
export function useReason(): (code: string) => string {
  const reasons: Record<string, string> = useText('deliveryReasons')
  const { urlReasons }: { urlReasons: Record<string, string> } = useText('connections')
  return (code) => reasons[SAME[code] ?? code] ?? urlReasons[code] ?? code
}
