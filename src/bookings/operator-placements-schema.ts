import Type from 'typebox';
import {
  placementReason,
  Starts,
  slotFields,
  teamReason,
  ZoneAtPlace,
} from '../availability/operator-schema.ts';
import {
  DateInput,
  DateText,
  MAX_UNPAGED,
  Nullable,
  Success,
  Text,
  TimeText,
  Uuid,
  Version,
} from '../http/schemas.ts';
