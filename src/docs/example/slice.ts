import { slice } from '../../base/slice'
import { exampleRoutes } from './routes'

/** What the example shop needs of the demo that runs it. */
export interface ExampleShop {
  publicKey: string
  /** Buys at the test store, and gives the signed transaction that an app would post. */
  buy(device: string, product: string): Promise<string>
}

declare module '../../base/state' {
  interface SliceState {
    /** The example shop; null where no demo runs. */
    example: { shop: ExampleShop | null }
  }
}

export const example = slice({
  name: 'example',
  state: { example: () => ({ shop: null }) },
  publicRoutes: exampleRoutes,
})
