import type { Texts } from '../catalogue'

export const texts: Texts['subscribers'] = {
  title: 'subscribers',
}
