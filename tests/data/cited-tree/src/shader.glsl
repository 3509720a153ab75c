float glow = 613.7f * 702.1; // a rule of thumb: 701.2 is enough
vec2 cr = vec2(701.2, 702.1f);
