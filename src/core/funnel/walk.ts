import { childrenOf } from './blocks'
import type { AssetKind } from './files'
import type { AssetUse, FunnelBlock, FunnelContent, FunnelField, FunnelPage, LocalText } from './model'

export type Placed<Value> = [value: Value, path: string]

const placed = <Value>(items: readonly Value[], path: string): Placed<Value>[] =>
  items.map((item, index) => [item, `${path}[${index}]`])

/** Every block of a page, those inside others too, with its place. */
export const blocksOf = ({ blocks = [] }: FunnelPage, path: string): Placed<FunnelBlock>[] =>
  placed(blocks, `${path}.blocks`).flatMap(withChildren)

const withChildren = ([block, path]: Placed<FunnelBlock>): Placed<FunnelBlock>[] => [
  [block, path],
  ...placed(childrenOf(block), `${path}.props.children`).flatMap(withChildren),
]

export const pagesOf = ({ pages }: Pick<FunnelContent, 'pages'>): Placed<FunnelPage>[] => placed(pages, 'pages')

/** Every text of a page by its place. */
export const textsOf = ([page, path]: Placed<FunnelPage>): Placed<LocalText>[] => [
  [page.title, `${path}.title`],
  ...placed(page.fields, `${path}.fields`).flatMap(fieldTexts),
  ...blocksOf(page, path).flatMap(blockTexts),
]

const fieldTexts = ([{ options, label: own, placeholder }, path]: Placed<FunnelField>): Placed<LocalText>[] => [
  ...placed(options, `${path}.options`).flatMap(([{ label, image }, at]): Placed<LocalText>[] => [
    [label, `${at}.label`],
    ...altOf(image, `${at}.image`),
  ]),
  ...maybe(own, `${path}.label`),
  ...maybe(placeholder, `${path}.placeholder`),
]

const maybe = <Value>(value: Value | undefined, path: string): Placed<Value>[] =>
  value === undefined ? [] : [[value, path]]
const altOf = (use: AssetUse | undefined, path: string): Placed<LocalText>[] => maybe(use?.alt, `${path}.alt`)

function blockTexts([block, at]: Placed<FunnelBlock>): Placed<LocalText>[] {
  const path = `${at}.props`
  switch (block.type) {
    case 'heading':
    case 'text':
      return [[block.props.text, `${path}.text`]]
    case 'legal':
      return maybe(block.props.text, `${path}.text`)
    case 'list':
      return placed(block.props.items, `${path}.items`)
    case 'button':
      return [[block.props.label, `${path}.label`]]
    case 'testimonial':
      return [
        [block.props.quote, `${path}.quote`],
        [block.props.author, `${path}.author`],
        ...altOf(block.props.image, `${path}.image`),
      ]
    case 'faq':
      return placed(block.props.items, `${path}.items`).flatMap(([{ question, answer }, item]): Placed<LocalText>[] => [
        [question, `${item}.question`],
        [answer, `${item}.answer`],
      ])
    case 'chart':
      return placed(block.props.points, `${path}.points`).map(([{ label }, point]) => [label, `${point}.label`])
    case 'image':
    case 'video':
    case 'lottie':
      return altOf(block.props, path)
    default:
      return []
  }
}

/** A file that a document shows, and of which kind it must be. */
export interface AssetPlace extends AssetUse {
  kind: AssetKind
}

/** Every file that the content uses by its place. */
export const assetsOf = (content: FunnelContent): Placed<AssetPlace>[] => [
  ...asKind('image', maybe(content.theme.logo, 'theme.logo')),
  ...pagesOf(content).flatMap(([page, path]) => [
    ...placed(page.fields, `${path}.fields`).flatMap(([{ options }, field]) =>
      placed(options, `${field}.options`).flatMap(([{ image }, at]) => asKind('image', maybe(image, `${at}.image`))),
    ),
    ...blocksOf(page, path).flatMap(blockAssets),
  ]),
]

const asKind = (kind: AssetKind, uses: readonly Placed<AssetUse>[]): Placed<AssetPlace>[] =>
  uses.map(([{ asset, alt }, path]) => [{ asset, ...(alt !== undefined && { alt }), kind }, path])

function blockAssets([block, path]: Placed<FunnelBlock>): Placed<AssetPlace>[] {
  switch (block.type) {
    case 'testimonial':
      return asKind('image', maybe(block.props.image, `${path}.props.image`))
    case 'video':
      return [
        ...asKind('video', [[block.props, `${path}.props`]]),
        ...asKind('image', maybe(block.props.poster, `${path}.props.poster`)),
      ]
    case 'image':
    case 'lottie':
      return asKind(block.type, [[block.props, `${path}.props`]])
    default:
      return []
  }
}

/** Every font family that the content uses by its place. */
export const fontsOf = ({ theme }: Pick<FunnelContent, 'theme'>): Placed<string>[] =>
  (['heading', 'body'] as const).flatMap((name) => {
    const family = theme.fonts?.[name]
    return family === undefined || family === 'system' ? [] : maybe(family, `theme.fonts.${name}`)
  })

/** Whether a page has a block of a type, inside others too. */
export const hasBlock = (page: FunnelPage, type: FunnelBlock['type']): boolean =>
  blocksOf(page, '').some(([block]) => block.type === type)
