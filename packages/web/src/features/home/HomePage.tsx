import { cheapest } from '@vps/shared/plans'
import { lazy, Suspense, useCallback, useState } from 'react'
import styled from 'styled-components'
import { trpc } from '../../api/trpc'
import { useSite } from '../../about/use-site'
import { useTitle } from '../../ui/use-title'
import { Hero } from './Hero'
import { Plans } from './Plans'
import { usePlans } from './use-plans'

const Below = lazy(() => import('./Below'))

/** What stands below the plans loads when somebody comes near or asks. */
export default function HomePage() {
  useTitle('')
  const site = useSite()
  const plans = usePlans()
  const figures = trpc.status.figures.useQuery(undefined, { staleTime: 600_000 }).data
  const [isNear, setNear] = useState(false)
  const [asked, setAsked] = useState(0)
  const near = useCallback((place: HTMLDivElement | null) => {
    if (!place) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '50%',
    })
    watch.observe(place)
    return () => watch.disconnect()
  }, [])
  return (
    <>
      <Hero site={site} from={cheapest(plans, 'MONTHLY')?.price} onStart={() => setAsked(asked + 1)} />
      {plans.length > 0 && <Plans plans={plans} />}
      <Suspense fallback={<Room />}>
        {isNear || asked > 0 ? (
          <Below site={site} plans={plans} figures={figures} asked={asked} />
        ) : (
          <Room ref={near} />
        )}
      </Suspense>
    </>
  )
}

/** Keeps the footer out of sight until then. */
const Room = styled.div`
  height: 2400px;
`
