import { ShoppingCart } from 'lucide-react'
import { api, read } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Code } from '../../kit/copy'
import { FormFailure } from '../../kit/failure'
import { type ProjectHere, roleFor, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { BOUGHT, DEVICE } from './first-run-bought'

const P = '/dashboard/projects/{projectId}'

/** Buying at the built-in test store, by button and by command. */
export function Buying({ isDone }: { isDone: boolean }) {
  const { path, project, can } = useProject()
  const products = useRead(`${P}/products`, { params: { path } })
  if (!products.data) return null
  const { items } = products.data
  const allowed = can('credits:write') ? items : items.filter(({ grants }) => grants.length === 0)
  // When every product grants virtual currency, the button is disabled and says why.
  const known = best(allowed) ?? best(items)
  const product = known?.identifier ?? EXAMPLE
  return (
    <>
      {!isDone && <BuyButton known={known} />}
      <Code text={`svc simulate purchase --project ${project.slug} --device ${DEVICE} --product ${product}`} />
    </>
  )
}

const best = (items: readonly Schemas['Product'][]) => items.find(({ type }) => type === 'SUBSCRIPTION') ?? items[0]

const EXAMPLE = 'pro_monthly'

/** A project that sells nothing gets an example product first. */
function BuyButton({ known }: { known: Schemas['Product'] | undefined }) {
  const t = useText('signIn')
  const common = useText('common')
  const here = useProject()
  const { path } = here
  const needed = known && known.grants.length > 0 ? 'credits:write' : 'products:write'
  const store = useRead(`${P}/test-store`, { params: { path } })
  const action = useAction({
    run: async () => {
      const product = known?.identifier ?? (await addExample(path)).identifier
      return api.post(`${P}/test-store/purchases`, { params: { path }, body: { device: DEVICE, product } })
    },
    // Not the overview: it would replace this screen before the person has seen what came.
    refreshes: [`${P}/products`, `${P}/access`, `${P}/subscribers`, `${P}/events`],
    onDone: (bought) => BOUGHT.set({ projectId: path.projectId, bought }),
  })
  if (!store.data) return null
  if (!store.data.isSelling) return <p className="text-sm text-ink-2">{t.storeOff}</p>
  return (
    <div className="grid justify-items-start gap-2">
      <FormFailure error={action.error} />
      <Button
        variant="primary"
        icon={<ShoppingCart aria-hidden size={14} />}
        busy={action.busy}
        reason={here.can(needed) ? null : common.roleNeeded(roleFor(needed))}
        onClick={() => action.submit(undefined)}
        className="h-9"
      >
        {known ? t.buyNow : t.buyExample}
      </Button>
      <p className="max-w-prose text-xs text-ink-2">{known ? t.buyHint(known.displayName) : t.exampleHint}</p>
    </div>
  )
}

/** `pro_monthly` with the access `pro`, through the same calls as the screens of the catalogue. What is there stays. */
async function addExample(path: ProjectHere['path']): Promise<{ identifier: string }> {
  const access = await orKnown(
    api.post(`${P}/access`, { params: { path }, body: { identifier: 'pro', displayName: 'Pro' } }),
    () => read(`${P}/access`, { params: { path } }),
    'pro',
  )
  const body = {
    ...{ identifier: EXAMPLE, displayName: 'Pro monthly', type: 'SUBSCRIPTION' as const, period: 'P1M' },
    accessIds: [access.id],
  }
  return orKnown(
    api.post(`${P}/products`, { params: { path }, body }),
    () => read(`${P}/products`, { params: { path } }),
    EXAMPLE,
  )
}

/** What was made now, or was there before: an earlier click may have come half way. */
async function orKnown<T extends { identifier: string }>(
  made: Promise<T>,
  list: () => Promise<{ items: T[] }>,
  identifier: string,
): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'IDENTIFIER_TAKEN') throw error
    const known = (await list()).items.find((one) => one.identifier === identifier)
    if (known) return known
    throw error
  }
}
