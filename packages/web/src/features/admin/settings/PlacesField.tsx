import { placeFormat, placesOf } from '@vps/shared/places'
import { useWatch, type Control } from 'react-hook-form'
import styled from 'styled-components'
import { PlacesMap } from '../../../about/PlacesMap'
import { siteNames } from '../../../about/site-names'
import type { Inputs } from '../../../api/trpc'
import { color, radius } from '../../../theme/tokens'
import { FormArea } from '../parts/fields'

/** The places as lines, and their map. */
export function PlacesField({ control }: { control: Control<Inputs['site']['save']> }) {
  const typed = useWatch({ control, name: 'places' })
  return (
    <>
      <FormArea
        control={control}
        name="places"
        label={siteNames.places}
        rows={8}
        exact
        help={`${placeFormat}。例如：上海，31.2，121.5，https://sh.example.com/ping.png`}
      />
      <Night>
        <PlacesMap places={placesOf(typed ?? '')} />
      </Night>
    </>
  )
}

const Night = styled.div`
  padding: 24px;
  border-radius: ${radius.card};
  background: ${color.night};
`
