import type { Schemas } from '../../api/schemas'
import { Code } from '../../kit/copy'
import { Dialog, SecretShown } from '../../kit/dialog'
import { useText } from '../../text/catalogue'

interface KeySecretProps {
  made: Schemas['ApiKeyWithSecret']
  onClose: () => void
}

/** Both halves of a key that was just made or rotated. The secret one is never shown again. */
export function KeySecret({ made, onClose }: KeySecretProps) {
  const t = useText('settings')
  const { publicKey, secret, label } = made
  const halves = (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {publicKey !== null && <Code label={t.publicKeyHint} text={publicKey} />}
      {secret !== null && <Code label={t.secretHint} text={secret} />}
    </div>
  )
  // A key that is only public holds nothing that is shown once.
  if (secret === null)
    return (
      <Dialog title={label} onClose={onClose}>
        {halves}
      </Dialog>
    )
  return (
    <SecretShown title={label} onClose={onClose}>
      {halves}
    </SecretShown>
  )
}
