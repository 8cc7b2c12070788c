import { ShoppingCart } from 'lucide-react'
import { api, read, type Schemas } from '../../api/client'
import { useAction, useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { FormFailure } from '../../kit/failure'
import { type ProjectHere, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { BOUGHT, DEVICE } from './first-run-bought'

const P = '/dashboard/projects/{projectId}'

/** Buys at the built-in test store. A project that sells nothing gets an example product first. */
export function BuyButton() {
  const t = useText('signIn')
  const common = useText('common')
  const here = useProject()
  const { path } = here
  const store = useRead(`${P}/test-store`, { params: { path } })
  const products = useRead(`${P}/products`, { params: { path } })
  const known = products.data?.items.find(({ type }) => type === 'SUBSCRIPTION') ?? products.data?.items[0]
  const action = useAction({
    run: async () => {
      const product = known?.identifier ?? (await addExample(path)).identifier
      return api.post(`${P}/test-store/purchases`, { params: { path }, body: { device: DEVICE, product } })
    },
    // Not the overview: it would replace this screen before the person has seen what came.
    refreshes: [`${P}/products`, `${P}/access`, `${P}/subscribers`, `${P}/events`],
    onDone: (bought) => BOUGHT.set({ projectId: path.projectId, bought }),
  })
  if (!store.data || !products.data) return null
  if (!store.data.isSelling) return <p className="text-sm text-ink-2">{t.storeOff}</p>
  return (
    <div className="grid justify-items-start gap-2">
      <FormFailure error={action.error} />
      <Button
        variant="primary"
        icon={<ShoppingCart aria-hidden size={14} />}
        busy={action.busy}
        reason={here.hasRole('DEVELOPER') ? null : common.roleNeeded('DEVELOPER')}
        onClick={() => action.submit(undefined)}
        className="h-9"
      >
        {known ? t.buyNow : t.buyExample}
      </Button>
      <p className="max-w-prose text-xs text-ink-2">{known ? t.buyHint(known.displayName) : t.exampleHint}</p>
    </div>
  )
}

/** `pro_monthly` with the access `pro`, through the same calls as the screens of the catalogue. */
async function addExample(path: ProjectHere['path']): Promise<Schemas['Product']> {
  const access = await proAccess(path)
  return api.post(`${P}/products`, {
    params: { path },
    body: {
      identifier: 'pro_monthly',
      displayName: 'Pro monthly',
      type: 'SUBSCRIPTION',
      period: 'P1M',
      accessIds: [access.id],
    },
  })
}

async function proAccess(path: ProjectHere['path']): Promise<{ id: string }> {
  const made = api.post(`${P}/access`, { params: { path }, body: { identifier: 'pro', displayName: 'Pro' } })
  return made.catch(async (error: unknown) => {
    const { items } = await read(`${P}/access`, { params: { path } })
    const known = items.find(({ identifier }) => identifier === 'pro')
    if (known) return known
    throw error
  })
}
