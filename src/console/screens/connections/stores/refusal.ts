import { useText } from '../../../text/catalogue'
import { detailOf, usePlaced } from '../shared/refusal'

/** A refused key as a whole is shown at its file. */
const PLACES: Readonly<Record<string, string>> = {
  inAppPurchaseKey: 'inAppPurchaseKey.privateKey',
  storeConnectKey: 'storeConnectKey.privateKey',
}

/** The refusal of credentials with what to do about it at the field that is wrong. */
export function useCredentialsRefusal(error: Error | null): Error | null {
  const t = useText('connections')
  const explain = (reason: string, message: string): string => {
    const advice = (t.credentialReasons as Record<string, string>)[reason]
    return advice ?? message
  }
  return usePlaced(
    error,
    (path) => path.replace(/^credentials\./, ''),
    (failure): Record<string, string> => {
      const field = detailOf(failure, 'field')
      const place = PLACES[field] ?? field
      if (failure.code === 'STORE_KEY_WRONG_TYPE') return { [place]: t.keyOfOtherKind }
      if (failure.code !== 'STORE_CREDENTIALS_INVALID' || place === '') return {}
      return { [place]: explain(detailOf(failure, 'reason'), failure.message) }
    },
  )
}
