import type { FunnelBlock } from '../../../../../core/funnel/model'
import { Switch } from '../../../../kit/field'
import { useText } from '../../../../text/catalogue'
import { FileField } from '../file-field'
import { LocalField } from '../local-field'
import type { BlockFormProps } from './form-props'

type AssetBlock = Extract<FunnelBlock, { type: 'image' | 'video' | 'lottie' }>

/** A file of the project by its id, with the text for those who do not see it. */
export function AssetFields({ block, onChange, ...rest }: BlockFormProps<AssetBlock>) {
  const t = useText('funnels')
  const put = (change: object, part: string) =>
    onChange({ ...block, props: { ...block.props, ...change } } as FunnelBlock, part)
  return (
    <>
      <FileField
        kind={block.type}
        value={block.props.asset}
        files={rest.builder.files}
        onChange={(asset) => put({ asset: asset ?? '' }, 'asset')}
      />
      <LocalField
        {...rest}
        label={t.alternative}
        value={block.props.alt ?? {}}
        onChange={(alt) => put({ alt }, 'alt')}
      />
      {block.type !== 'image' && (
        <Switch label={t.loop} checked={block.props.loop === true} onChange={(loop) => put({ loop }, 'loop')} />
      )}
    </>
  )
}
