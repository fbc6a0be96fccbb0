import type { PriceGroupInFen } from '@vps/shared/catalogue.contract'
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { FoldedPart } from '../../ui/FoldedCard'
import { Empty } from '../../ui/states'
import { useTight } from '../../theme/use-media'
import { anyPlan, fitsFilter } from './plan-words'
import { everywhere, PlanFilters } from './PlanFilters'
import { PlanTable } from './PlanTable'
import { PriceCards } from './PriceCards'
import { SearchX } from 'lucide-react'

/** Of a region, or of the whole category. */
export function Plans({
  groups,
  group,
  offers,
  chosen,
  onRegion,
  onChoose,
}: {
  groups: readonly { id: string; name: string }[]
  group: { id: string; name: string }
  offers: readonly PriceGroupInFen[]
  chosen: PriceGroupInFen
  onRegion: (groupId: string) => void
  onChoose: (offer: PriceGroupInFen) => void
}) {
  const [filter, setFilter] = useState(anyPlan)
  const [all, setAll] = useState(false)
  const tight = useTight()
  const shown = offers.filter((offer) => (all || offer.serverGroupId === group.id) && fitsFilter(filter)(offer))
  const placeOf = (offer: PriceGroupInFen) => groups.find(({ id }) => id === offer.serverGroupId)?.name
  const Choice = tight ? PriceCards : PlanTable

  function region(chosen: string) {
    setAll(chosen === everywhere)
    if (chosen !== everywhere) onRegion(chosen)
  }

  return (
    <>
      {offers.length > 1 && (
        <FoldedPart title="筛选与对比">
          <PlanFilters
            offers={offers}
            groups={groups}
            region={all ? everywhere : group.id}
            filter={filter}
            onRegion={region}
            onFilter={setFilter}
          />
        </FoldedPart>
      )}
      {shown.length > 0 ? (
        <Choice offers={shown} chosen={chosen.id} placeOf={all ? placeOf : null} onChoose={onChoose} />
      ) : (
        <Empty
          icon={SearchX}
          title="没有符合条件的套餐"
          action={<Button onClick={() => setFilter(anyPlan)}>清除筛选条件</Button>}
        >
          放宽条件，或查看全部地区。
        </Empty>
      )}
    </>
  )
}
