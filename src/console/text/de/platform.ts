import type { Texts } from '../catalogue'

export const texts: Texts['platform'] = {
  title: 'platform',
}
