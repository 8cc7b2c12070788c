import { ShoppingCart } from 'lucide-react'
import { useState } from 'react'
import { api, read } from '../../api/client'
import { ApiFailure } from '../../api/failure'
import { useAction, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Code } from '../../kit/copy'
import { FormFailure } from '../../kit/failure'
import { type ProjectHere, roleFor, useProject } from '../../lib/session'
import { makeStore } from '../../lib/store'
import { useText } from '../../text/catalogue'
import { ProductChoices } from './first-run-products'

const P = '/dashboard/projects/{projectId}'

/** Buying at the built-in test store, by button and by command. */
export function Buying({ isDone }: { isDone: boolean }) {
  const { path, project, can } = useProject()
  const products = useRead(`${P}/products`, { params: { path } })
  const [ids, setIds] = useState<readonly string[] | null>(null)
  if (!products.data) return null
  const { items } = products.data
  const allowed = can('credits:write') ? items : items.filter(({ grants }) => grants.length === 0)
  // When every product grants virtual currency, the button is disabled and says why.
  const known = best(allowed) ?? best(items)
  const chosen = ids === null ? (known ? [known] : []) : allowed.filter(({ id }) => ids.includes(id))
  const [first = EXAMPLE, ...others] = chosen.map(({ identifier }) => identifier)
  const order = others.length > 0 ? ['--store android', ...others.map((other) => `--with ${other}`)] : []
  const command = [`svc simulate purchase --project ${project.slug} --device ${DEVICE} --product ${first}`, ...order]
  return (
    <>
      {!isDone && allowed.length > 1 && (
        <ProductChoices
          products={allowed}
          chosen={chosen}
          onChange={(after) => after.length > 0 && setIds(after.map(({ id }) => id))}
        />
      )}
      {!isDone && <BuyButton chosen={chosen} />}
      <Code text={command.join(' ')} />
    </>
  )
}

const best = (items: readonly Schemas['Product'][]) => items.find(({ type }) => type === 'SUBSCRIPTION') ?? items[0]

const EXAMPLE = 'pro_monthly'

/** A project that sells nothing gets an example product first. */
function BuyButton({ chosen }: { chosen: readonly Schemas['Product'][] }) {
  const t = useText('signIn')
  const common = useText('common')
  const here = useProject()
  const { path } = here
  const needed = chosen.some(({ grants }) => grants.length > 0) ? 'credits:write' : 'products:write'
  const store = useRead(`${P}/test-store`, { params: { path } })
  const action = useAction({
    run: async () => {
      const [product = (await addExample(path)).identifier, ...others] = chosen.map(({ identifier }) => identifier)
      const body = { device: DEVICE, product, ...(others.length > 0 && { store: 'android' as const, with: others }) }
      return api.post(`${P}/test-store/purchases`, { params: { path }, body })
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
        {chosen.length > 0 ? t.buyNow : t.buyExample}
      </Button>
      <p className="max-w-prose text-xs text-ink-2">
        {chosen.length > 0 ? t.buyHint(chosen.map(({ displayName }) => displayName).join(', ')) : t.exampleHint}
      </p>
    </div>
  )
}

/**
 * `pro_monthly` with the access `pro`, through the same calls as the screens of the catalogue. Existing objects stay.
 */
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

/** The objects that were made now or before: an earlier click may have stopped half way. */
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

/** The latest purchase made with the button. Its subscriber and access are listed above the events of the stream. */
export const BOUGHT = makeStore<{ projectId: string; bought: Schemas['TestPurchase'] } | null>(null)

/** The device key in the commands and in purchases made with the button. */
export const DEVICE = 'svc_first_device'
