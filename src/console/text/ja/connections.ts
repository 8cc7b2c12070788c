import type { Texts } from '../catalogue'

export const texts: Texts['connections'] = {
  title: 'connections',
}
