import Type from 'typebox';
import { holdFields } from '../bookings/hold-schema.ts';
import { SuccessList, Text } from '../http/schemas.ts';

export const PortalHoldsResponse = SuccessList(
  Type.Object(
    { ...holdFields, serviceName: Text('Name of the service', 'Deep cleaning') },
    { title: 'PortalHold' },
  ),
);
